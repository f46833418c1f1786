"""Of which rows a piece of a sentence speaks: those named last before it, or, past a comma or an "and", those named next."""

from collections.abc import Sequence

from agent.blocks.grounding.read import Piece
from agent.blocks.grounding.words import BUT

_SERIES = frozenset("and or both also then as well".split())
_BREAKS = frozenset(",;.:!?()")

Choice = tuple[str, ...]


def subjects(pieces: Sequence[Piece], cited: Sequence[str]) -> list[tuple[Choice, ...]]:
    """For each piece the choices of row ids that it may be said of: it must hold of all the rows of one choice. Without a name, of all the cited rows."""
    groups = _groups(pieces, cited)
    return [_choices(pieces, at, groups, tuple(cited)) for at in range(len(pieces))]


def _groups(pieces: Sequence[Piece], cited: Sequence[str]) -> list[tuple[int, int, Choice]]:
    """Names in a row ("A, B and C"), each as where it begins, where it ends, and whose they are."""
    groups: list[tuple[int, int, Choice]] = []
    for at, piece in enumerate(pieces):
        if piece.kind != "name" or not (ids := tuple(row for row in cited if row in piece.rows)):
            continue
        between = pieces[groups[-1][1] + 1 : at] if groups else ()
        if groups and all(one.text == "," or one.folded in _SERIES for one in between):
            start, _, names = groups[-1]
            groups[-1] = (start, at, tuple(dict.fromkeys((*names, *ids))))
        else:
            groups.append((at, at, ids))
    return groups


def _choices(pieces: Sequence[Piece], at: int, groups: Sequence[tuple[int, int, Choice]], cited: Choice) -> tuple[Choice, ...]:
    before = [group for group in groups if group[0] <= at]
    after = next((group for group in groups if group[0] > at), None)
    if not before:
        return (after[2] if after else cited,)
    last = before[-1]
    if after and at < after[0] and _dangles(pieces, groups, after):
        return ((*last[2], *after[2]),)
    if after and any(piece.text in _BREAKS for piece in pieces[at + 1 : after[0]]):
        return (last[2],)
    if after and any(piece.text in _BREAKS or piece.folded in BUT for piece in pieces[last[1] + 1 : at]):
        return (last[2], after[2])
    return (last[2],)


def _dangles(pieces: Sequence[Piece], groups: Sequence[tuple[int, int, Choice]], group: tuple[int, int, Choice]) -> bool:
    """Whether names stand at the end of what is said of others, with nothing said of themselves: "A is quiet, also B"."""
    begins = next((at + 1 for at in range(group[0] - 1, -1, -1) if pieces[at].text in _BREAKS or pieces[at].folded in BUT), 0)
    ends = next((one[0] for one in groups if one[0] > group[1]), len(pieces))
    return all(piece.kind in ("plain", "mark", "name") and piece.folded != "then" for piece in pieces[max(begins, 0) : ends])
