"""What superlatives, universals and counts rest on: the order of the rows and how many there are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agent.blocks.grounding.read import Piece
from agent.blocks.grounding.told import Told, scores_of
from agent.types import Row

Pieces = Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Ground:
    """The rows that a sentence cites, all those gathered for its question, how many there are in all, and the words that the resident typed."""

    cited: tuple[Told, ...]
    gathered: tuple[Row, ...]
    total: int
    said: frozenset[str]

    @property
    def complete(self) -> bool:
        return self.total <= len(self.gathered)


def counts(ground: Ground, many: float) -> bool:
    """Whether there are so many: of the rows of the sentence, of those gathered, or in all."""
    return many in (len(ground.cited), len(ground.gathered), ground.total)


def nearest(ground: Ground, row: Told) -> bool:
    """No gathered row is nearer, and no other can be: all are gathered, or they are in order of distance."""
    metres = [one.distance_m for one in ground.gathered]
    known = [one for one in metres if one is not None]
    ordered = len(known) > 1 and known == sorted(known)
    return row.row.distance_m is not None and len(known) == len(metres) and row.row.distance_m == min(known) and (ground.complete or ordered)


def in_order(ground: Ground) -> bool:
    """Whether the cited rows stand in order of distance."""
    metres = [row.row.distance_m for row in ground.cited]
    known = [one for one in metres if one is not None]
    return len(known) == len(metres) and known == sorted(known)


def topmost(ground: Ground, row: Told, kind: str) -> bool:
    """No gathered row has a higher score, and no other can have: all are gathered, or they are in order of the score."""
    values = [scores_of(one).get(kind, -1.0) for one in ground.gathered]
    ordered = len(values) > 1 and values == sorted(values, reverse=True)
    return row.scores.get(kind) == max(values) and (ground.complete or ordered)


def universal(ground: Ground, pieces: Pieces, at: int, choices: Sequence[Sequence[str]]) -> bool:
    """ "Only" before a figure, or of the one row there is; "both" of two rows; "all" of all there are; "first" of the first; no "every" nor "always"."""
    check = _UNIVERSALS.get(pieces[at].folded)
    return check is not None and check(ground, pieces, at, choices[0])


def _only(ground: Ground, pieces: Pieces, at: int, _of: Sequence[str]) -> bool:
    after = pieces[at + 1] if at + 1 < len(pieces) else None
    counted = after is not None and (after.kind == "figure" or after.slot in ("distance", "walk"))
    return counted or (ground.total == 1 and at > 0 and pieces[at - 1].folded in ("the", "one"))


def _both(_ground: Ground, _pieces: Pieces, _at: int, of: Sequence[str]) -> bool:
    return len(of) == 2


def _all(ground: Ground, _pieces: Pieces, _at: int, _of: Sequence[str]) -> bool:
    return ground.complete and len(ground.cited) == ground.total > 1


def _first(ground: Ground, pieces: Pieces, at: int, of: Sequence[str]) -> bool:
    if at > 0 and pieces[at - 1].kind == "nearest":
        return in_order(ground)
    after = pieces[at + 1] if at + 1 < len(pieces) else None
    leads = after is None or after.kind == "mark" or after.folded in ("is", "of", "one", "comes")
    return leads and bool(ground.gathered) and tuple(of[:1]) == (ground.gathered[0].id,)


_UNIVERSALS: Mapping[str, Callable[[Ground, Pieces, int, Sequence[str]], bool]] = {"only": _only, "both": _both, "all": _all, "first": _first}
