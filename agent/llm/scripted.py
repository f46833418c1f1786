"""The tests' model: what it answers is written down beforehand."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent.errors import AskError
from agent.llm.base import Turn


class ScriptedModel:
    """Answers first in, first out, and keeps the turns it was asked. An exception in the script is raised; a turn past the script is an error."""

    name = "scripted"

    def __init__(self, *script: Mapping[str, Any] | AskError) -> None:
        self._script: list[Mapping[str, Any] | AskError] = list(script)
        self.turns: list[Turn] = []

    def complete(self, turn: Turn) -> Mapping[str, Any]:
        """The next answer of the script."""
        self.turns.append(turn)
        if not self._script:
            raise AssertionError(f"the script has no answer for call {len(self.turns)}")
        answer = self._script.pop(0)
        if isinstance(answer, AskError):
            raise answer
        return answer

    def left(self) -> Sequence[Mapping[str, Any] | AskError]:
        """What was never asked for."""
        return tuple(self._script)
