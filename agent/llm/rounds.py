"""The rounds of a run: the only thing in it that is counted down (A-46 to A-50)."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.errors import ModelMisbehaved, ModelUnavailable
from agent.llm.base import Model, Turn

# What each round may do. A second parse is the one re-ask of a first round that failed.
MAY: Mapping[int, frozenset[str]] = {
    1: frozenset({"parse", "calls"}),
    2: frozenset({"parse", "calls", "final"}),
    3: frozenset({"final"}),
}


@dataclass(slots=True)
class Rounds:
    """Spends at most `cap` model calls on one run, and begins none after `deadline_s` seconds. `misses` are what went wrong, for the record."""

    cap: int
    deadline_s: float
    spent: int = 0
    misses: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    @property
    def next(self) -> int:
        """The number of the round that comes next."""
        return self.spent + 1

    def may(self, act: str) -> bool:
        """Whether there is a next round, in time, and it may do this."""
        return self.spent < self.cap and self.seconds_left > 0 and act in MAY[min(self.next, 3)]

    @property
    def seconds_left(self) -> float:
        return self.deadline_s - (time.monotonic() - self.began)

    def ask(self, model: Model, turn: Turn) -> Mapping[str, Any] | None:
        """One model call, which costs a round whatever comes of it; None when it failed."""
        self.spent += 1
        try:
            answer = model.complete(turn)
        except (ModelMisbehaved, ModelUnavailable) as error:
            self.miss(str(error))
            return None
        if not isinstance(answer, Mapping):
            self.miss("the model sent no JSON object")
            return None
        return answer

    def miss(self, why: str) -> None:
        """Keep what went wrong."""
        self.misses.append(why)
