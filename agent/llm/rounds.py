"""The rounds of a run: the only thing in it that changes (A-46, A-47)."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.errors import ModelMisbehaved, ModelUnavailable
from agent.llm.base import Model, Turn

# What each round may do: parse, call tools, say the final.
MAY: Mapping[int, frozenset[str]] = {1: frozenset({"parse", "calls"}), 2: frozenset({"calls", "final"}), 3: frozenset({"final"})}


@dataclass(slots=True)
class Rounds:
    """Spends at most `cap` model calls on one run, and no new one after `deadline_s` seconds."""

    model: Model
    cap: int
    deadline_s: float
    spent: int = 0
    misses: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> int:
        return 0 if time.monotonic() - self.began > self.deadline_s else self.cap - self.spent

    def ask(self, turn: Turn) -> Mapping[str, Any] | None:
        """One model call, which costs a round whatever comes of it; None when it failed."""
        self.spent += 1
        try:
            answer = self.model.complete(turn)
        except (ModelMisbehaved, ModelUnavailable) as error:
            self.misses.append(str(error))
            return None
        return answer
