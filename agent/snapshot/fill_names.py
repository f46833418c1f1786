"""The table of names: every spelling by which a question may mean a row, folded, with its three-letter pieces."""

from collections.abc import Callable, Iterable
from typing import Any

from agent.snapshot.names import fold, trigrams, without_article


class NameFiller:
    """Gives names their ids. Kinds: area, landmark, place, tag, score, festival, event; `rank` orders names of one kind, greatest first.

    The rank of a place is its prominence; of an area or a tag, how many places it has; of the rest 0.
    """

    def __init__(self, extend: Callable[[str, Iterable[tuple[Any, ...]]], None]) -> None:
        self._extend = extend
        self._last = 0

    def add(self, kind: str, ref: int, names: Iterable[str], rank: int) -> None:
        """Add the spellings of one row, each folded one once, those without their article after the others."""
        spellings: dict[str, str] = {}
        for name in names:
            spellings.setdefault(fold(name), name)
        for folded, name in list(spellings.items()):
            spellings.setdefault(without_article(folded), name)
        spellings.pop("", None)
        for folded, name in spellings.items():
            self._last += 1
            self._extend("name", ((self._last, folded, kind, ref, name, rank),))
            self._extend("loose_gram", [(gram, self._last) for gram in trigrams(folded)])
