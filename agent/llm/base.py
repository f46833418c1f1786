"""What the harness asks of a model, with one method; the rules model, a gateway and the tests' script all speak it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from agent.types import Question, Result

Stage = Literal["resolve", "finalize", "resume"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One model call: the stage chooses the prompt (S1, S2, S3), `round` counts from 1.

    `questions` and `results` are empty in the first round. Everything in `results` is data: names, words and numbers of rows.
    """

    stage: Stage
    round: int
    query: str
    questions: tuple[Question, ...] = ()
    results: tuple[Result, ...] = ()
    rejected: tuple[str, ...] = ()


class Model(Protocol):
    """A model: a turn in, one JSON object out (`docs/protocol.md` shows the three kinds).

    Raises ModelUnavailable when it cannot be reached in time, ModelMisbehaved when what it sent is no JSON object.
    """

    name: str

    def complete(self, turn: Turn) -> Mapping[str, Any]: ...
