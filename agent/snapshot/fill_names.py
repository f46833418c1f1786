"""The table of names: every spelling by which a question may mean a row, folded; of names that are spelt alike the first has the three-letter pieces."""

from collections.abc import Callable, Iterable
from typing import Any

from agent.snapshot.names import fold, pieces, without_article


class NameFiller:
    """Gives names their ids. Kinds: area, landmark, place, tag, score, festival, event; `rank` orders names of one kind, greatest first.

    The rank of a place is its prominence; of an area or a tag, how many places it has; of the rest 0.
    """

    def __init__(self, extend: Callable[[str, Iterable[tuple[Any, ...]]], None]) -> None:
        self._extend = extend
        self._last = 0
        self._seen: set[str] = set()

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
            if folded not in self._seen:
                self._seen.add(folded)
                self._extend("loose_gram", [(gram, len(folded), self._last) for gram in dict.fromkeys(pieces(folded))])
