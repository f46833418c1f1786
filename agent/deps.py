"""All that a run may touch, in one dataclass: nothing in the engine reaches for anything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from agent.llm.base import Model
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.reader import Snapshot
from agent.types import Budget, Town


class Embedder(Protocol):
    """Texts in, an array of shape (n, width) out: float32, each row of unit length. `id` must be the snapshot's."""

    id: str
    width: int

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class Deps:
    """`now` is the run's instant, aware, in any zone; the engine reads no other clock for dates.

    `model` resolves, and finalizes too unless there is a `finalizer` (A-57). `echo_keys` sign follow-ups, the first; without any, none is asked.
    """

    town: Town
    snapshot: Snapshot
    lexicon: Lexicon
    now: datetime
    model: Model
    embedder: Embedder
    budget: Budget = field(default_factory=Budget)
    stopped: Callable[[], bool] = lambda: False
    finalizer: Model | None = None
    echo_keys: tuple[str, ...] = ()

    @property
    def models(self) -> str:
        """The names of the models, for the record: one, or "resolver+finalizer"."""
        return self.model.name if self.finalizer is None else f"{self.model.name}+{self.finalizer.name}"
