"""Whether a figure is true of a row, and in the place where it stands: a time of closing after "closes", a distance from the anchor alone."""

import re
from collections.abc import Callable, Mapping

from agent.blocks.grounding import basis
from agent.blocks.grounding import words as known
from agent.blocks.grounding.figures import Figure, clock_hours, figures, says
from agent.blocks.grounding.read import Piece
from agent.blocks.grounding.scores import Sentence, label_of
from agent.blocks.grounding.told import Told

_CLOSING = frozenset("until till closes closed closing shuts shut to ends end ending".split())
_OPENING = frozenset("opens opening open from starts begins begin start".split())
_CLOSES = re.compile(r"(?:closes|until|to) (\S+(?: [ap]m)?)")
_OPENS = re.compile(r"(?:opens|open) (?:[A-Z][a-z]+ (?:\d+ [A-Z][a-z]+ )?)?(\d\S*(?: [ap]m)?)")


def anchored(sentence: Sentence, at: int) -> bool:
    """Whether what is looked from is spoken of as such: "from", "near", "of" stand before it."""
    before = at - 1
    while before >= 0 and (sentence.word(before) in ("the", "is", "at", "and", "'") or sentence.pieces[before].kind in ("where", "term")):
        before -= 1
    return before >= 0 and (sentence.word(before) in known.FROM or sentence.pieces[before].kind in ("near", "nearest"))


def from_anchor(sentence: Sentence, at: int) -> bool:
    """A distance is from where the question looks from, and from nothing else that is named after it."""
    after = at + 1
    if sentence.word(after) == "on" or sentence.word(after) in ("walk", "away"):
        after += 1 + (sentence.word(after + 1) == "foot")
    if sentence.word(after) not in ("from", "of", "off"):
        return True
    after += 1 + (sentence.word(after + 1) == "the")
    piece = sentence.pieces[after] if after < len(sentence.pieces) else None
    return piece is None or piece.kind == "anchor" or piece.slot == "anchor" or piece.folded in ("there", "here", "10") or _is_anchor(sentence, piece)


def _is_anchor(sentence: Sentence, piece: Piece) -> bool:
    return piece.kind in ("where", "term") and any(row.anchor.endswith(piece.folded) for row in sentence.ground.cited if row.anchor)


def figure_holds(sentence: Sentence, at: int, row: Told) -> bool:
    figure = sentence.pieces[at].figure
    return figure is not None and _FIGURES.get(figure.kind, _said)(sentence, at, row, figure)


def _said(_sentence: Sentence, _at: int, row: Told, figure: Figure) -> bool:
    return any(says(figure, one) for one in row.says_figure(figure.kind))


def _distance(sentence: Sentence, at: int, row: Told, figure: Figure) -> bool:
    metres = row.row.distance_m
    near = metres is not None and figure.value[0] <= metres <= figure.value[1]
    return (near or _said(sentence, at, row, figure)) and from_anchor(sentence, at)


def _span(sentence: Sentence, at: int, row: Told, figure: Figure) -> bool:
    return _said(sentence, at, row, figure) and from_anchor(sentence, at)


def _date(_sentence: Sentence, _at: int, row: Told, figure: Figure) -> bool:
    return any(says(figure, one) for slot in ("when", "date", "next_dates", "repeats") for one in row.figures.get(slot, ()))


def _number(sentence: Sentence, at: int, row: Told, figure: Figure) -> bool:
    before = sentence.word(at - 1)
    if (
        before in known.AT_TIME
        and figure.value[0] <= 24
        and sentence.word(at + 1) not in known.COUNTED
        and (clock := _clock(sentence, at, row, Figure("clock", clock_hours(figure.value[0]), 0, 0)))
    ):
        return clock
    return basis.counts(sentence.ground, figure.value[0]) or any(
        says(figure, one) for slot in ("age", "repeats") for one in row.figures.get(slot, ())
    )


def _share(sentence: Sentence, at: int, row: Told, figure: Figure) -> bool:
    part, whole = figure.value
    label = label_of(sentence, at, row)
    exact = {
        slot.replace("_", " ") for slot, found in row.figures.items() for one in found if slot.replace("_", " ") in row.scores and says(figure, one)
    }
    if label:
        return bool(exact & label)
    counted = whole == sentence.ground.total and part in (1, len(sentence.ground.cited)) and not exact
    return bool(exact) or counted


def _clock(sentence: Sentence, at: int, row: Told, figure: Figure) -> bool:
    """A time is of the opening or the closing, the start or the end, as the words before it say."""
    way = next((word for word in (sentence.word(before) for before in range(at - 1, -1, -1)) if word in _CLOSING | _OPENING), "")
    if way in ("to", "from") and row.row.when is None and not row.fact("hours"):
        return False
    hours = row.fact("hours")
    if hours:
        found = (_CLOSES if way in _CLOSING else _OPENS if way in _OPENING else re.compile(r"(\d\S*)")).findall(hours)
        return any(says(figure, one) for text in found for one in figures(text))
    slots = ("until",) if way in _CLOSING else ("time", "when")
    return any(says(figure, one) for slot in slots for one in row.figures.get(slot, ()))


_FIGURES: Mapping[str, Callable[[Sentence, int, Told, Figure], bool]] = {
    "clock": _clock, "number": _number, "share": _share, "distance": _distance, "span": _span, "date": _date,
}  # fmt: skip
