"""Whether one piece of a sentence is true of one row: a check for each kind of piece."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agent.blocks.grounding import basis
from agent.blocks.grounding import words as known
from agent.blocks.grounding.basis import Ground
from agent.blocks.grounding.figures import Figure, clock_hours, figures, says
from agent.blocks.grounding.read import Piece
from agent.blocks.grounding.subjects import Choice
from agent.blocks.grounding.told import Told

GOOD = 0.6  # of the whole: from here on a score may be told as praise ("a quiet cafe")
_CLOSING = frozenset("until till closes closed closing shuts shut to ends end ending".split())
_OPENING = frozenset("opens opening open from starts begins begin start".split())
_CLOSES = re.compile(r"(?:closes|until|to) (\S+(?: [ap]m)?)")
_OPENS = re.compile(r"(?:opens|open) (?:[A-Z][a-z]+ (?:\d+ [A-Z][a-z]+ )?)?(\d\S*(?: [ap]m)?)")
_SHARED = frozenset(("distance", "walk"))


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence under the check: its pieces, what each may be said of, and for each score word the figure that it labels."""

    pieces: tuple[Piece, ...]
    choices: tuple[tuple[Choice, ...], ...]
    labels: Mapping[int, int]
    ground: Ground

    def word(self, at: int) -> str:
        return self.pieces[at].folded if 0 <= at < len(self.pieces) else ""


Check = Callable[[Sentence, int, Told], bool]


def label_scores(pieces: tuple[Piece, ...]) -> dict[int, int]:
    """Which score word names which score: "8 of 10 for quiet" by what follows, "quiet 8 of 10" by what goes before. A word that is said of
    the place itself ("is quiet: 8 of 10") labels nothing.
    """
    marks = [at for at, piece in enumerate(pieces) if _is_score(piece)]
    named = {at for at, piece in enumerate(pieces) if piece.kind == "name"}
    labels: dict[int, int] = {}
    for number, at in enumerate(marks):
        ahead = range(at + 1, min([len(pieces), *marks[number + 1 : number + 2], *(name for name in named if name > at)]))
        behind = range(at - 1, max([-1, *marks[:number][-1:], *(name for name in named if name < at)]), -1)
        after = next((one for one in ahead if _kinds(pieces[one]) and any(pieces[two].folded in ("for", "on") for two in range(at, one))), None)
        before = next(
            (one for one in behind if _kinds(pieces[one]) and one not in labels and (one == 0 or pieces[one - 1].folded not in known.BE)), None
        )
        if (word := after if after is not None else before) is not None:
            labels[word] = at
    return labels


def _is_score(piece: Piece) -> bool:
    if piece.kind == "figure":
        return piece.figure is not None and piece.figure.kind == "share"
    return piece.kind == "slot" and piece.slot not in _NOT_SCORES


_NOT_SCORES = frozenset(
    "name location address area venue festival category tags hours price wheelchair phone website state anchor distance walk reason when date time until "
    "age access repeats note next_dates off marks organiser tickets description".split()
)


def _kinds(piece: Piece) -> set[str]:
    return {hit.text for hit in piece.hits if hit.kind == "score"}


def _slot(sentence: Sentence, at: int, row: Told) -> bool:
    """A slot is its row's own fact, in a place where such a fact may stand."""
    piece = sentence.pieces[at]
    before = sentence.word(at - 1)
    if piece.slot == "description":
        return False
    owner = next((one for one in sentence.ground.cited if one.row.id in piece.rows), None)
    if owner is None or row.fact(piece.slot) != owner.fact(piece.slot):
        return False
    if piece.slot == "anchor":
        return _anchored(sentence, at)
    if piece.slot in _SHARED:
        return before not in ("at", "cost", "costs", "for", "opens", "closes") and _from_anchor(sentence, at)
    return not _is_score(piece) or piece.slot.replace("_", " ") in (_label(sentence, at, row) or {piece.slot.replace("_", " ")})


def _label(sentence: Sentence, at: int, row: Told) -> set[str]:
    """The kinds of score that the word beside a score may mean."""
    return next((_of_town(sentence.pieces[word], row) for word, marked in sentence.labels.items() if marked == at), set())


def _of_town(piece: Piece, row: Told) -> set[str]:
    """The kinds of a score word as the row's facts name them; a word that none of its scores goes by stands for itself."""
    return {kind for kind in row.scores if _means(piece, kind)} or {"?"}


def _means(piece: Piece, kind: str) -> bool:
    return any(hit.kind == "score" and kind in piece.slot.split("|") for hit in piece.hits)


def _anchored(sentence: Sentence, at: int) -> bool:
    """Whether what is looked from is spoken of as such: "from", "near", "of" stand before it."""
    before = at - 1
    while before >= 0 and (sentence.word(before) in ("the", "is", "at", "and", "'") or sentence.pieces[before].kind in ("where", "term")):
        before -= 1
    return before >= 0 and (sentence.word(before) in known.FROM or sentence.pieces[before].kind in ("near", "nearest"))


def _from_anchor(sentence: Sentence, at: int) -> bool:
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


def _figure(sentence: Sentence, at: int, row: Told) -> bool:
    figure = sentence.pieces[at].figure
    return figure is not None and _FIGURES.get(figure.kind, _said)(sentence, at, row, figure)


def _said(_sentence: Sentence, _at: int, row: Told, figure: Figure) -> bool:
    return any(says(figure, one) for one in row.says_figure(figure.kind))


def _distance(sentence: Sentence, at: int, row: Told, figure: Figure) -> bool:
    metres = row.row.distance_m
    near = metres is not None and figure.value[0] <= metres <= figure.value[1]
    return (near or _said(sentence, at, row, figure)) and _from_anchor(sentence, at)


def _span(sentence: Sentence, at: int, row: Told, figure: Figure) -> bool:
    return _said(sentence, at, row, figure) and _from_anchor(sentence, at)


def _date(_sentence: Sentence, _at: int, row: Told, figure: Figure) -> bool:
    return any(says(figure, one) for slot in ("when", "date", "next_dates", "repeats") for one in row.figures.get(slot, ()))


def _number(sentence: Sentence, at: int, row: Told, figure: Figure) -> bool:
    before = sentence.word(at - 1)
    if (
        before in known.AT_TIME
        and figure.value[0] <= 24
        and (clock := _clock(sentence, at, row, Figure("clock", clock_hours(figure.value[0]), 0, 0)))
    ):
        return clock
    return basis.counts(sentence.ground, figure.value[0]) or any(
        says(figure, one) for slot in ("age", "repeats") for one in row.figures.get(slot, ())
    )


def _share(sentence: Sentence, at: int, row: Told, figure: Figure) -> bool:
    part, whole = figure.value
    label = _label(sentence, at, row)
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


def _term(sentence: Sentence, at: int, row: Told) -> bool:
    """A word of the town: a tag that the row bears, its area, a score that is good enough to be told, or a name that is its own."""
    piece = sentence.pieces[at]
    kinds = {hit.kind for hit in piece.hits}
    if "tag" in kinds and any(hit.ref in row.tags for hit in piece.hits if hit.kind == "tag"):
        return True
    if "area" in kinds and any(hit.ref in row.areas for hit in piece.hits if hit.kind == "area"):
        return True
    if "score" in kinds:
        return _scored(sentence, at, row)
    return bool(row.anchor) and row.anchor.endswith(piece.folded) and _anchored(sentence, at)


def _scored(sentence: Sentence, at: int, row: Told) -> bool:
    piece = sentence.pieces[at]
    kinds = [kind for kind in row.scores if _means(piece, kind)]
    if at in sentence.labels:
        return bool(kinds)
    if piece.folded.endswith("est") or _superlative(sentence, at):
        return any(basis.topmost(sentence.ground, row, kind) for kind in kinds)
    return any(row.scores[kind] >= GOOD for kind in kinds)


def _superlative(sentence: Sentence, at: int) -> bool:
    return any(piece.kind == "top" for piece in sentence.pieces[max(0, at - 4) : at])


def _top(sentence: Sentence, at: int, row: Told) -> bool:
    """ "Best", "most" and "highest" are of a score that is named with them."""
    after = sentence.pieces[at + 1 : at + 5]
    scored = next((at + 1 + on for on, piece in enumerate(after) if _kinds(piece)), None)
    return scored is not None and any(basis.topmost(sentence.ground, row, kind) for kind in row.scores if _means(sentence.pieces[scored], kind))


def _price(sentence: Sentence, at: int, row: Told) -> bool:
    return bool(row.price) and known.PRICES[sentence.pieces[at].folded] == row.price


def _grade(sentence: Sentence, at: int, row: Told) -> bool:
    """ "Low" and its like, of a price or of a score, whichever word is nearest: those after it first."""
    grade = known.GRADES[sentence.word(at)]
    if grade == "high" and known.PRICES.get(sentence.word(at + 1)) == "expensive":
        return row.price == "expensive"
    for near in (*range(at + 1, at + 4), *range(at - 1, at - 6, -1)):
        word = sentence.word(near)
        if word in known.OF_SCORE:
            return any(_graded(value) == grade for value in row.scores.values())
        if word in known.OF_PRICE:
            return row.price == known.GRADE_OF_PRICE[grade]
    return grade == "middle" and (row.price == "moderate" or any(_graded(value) == grade for value in row.scores.values()))


def _graded(value: float) -> str:
    return "low" if value <= 0.4 else "middle" if value < 0.7 else "high"


def _open(sentence: Sentence, at: int, row: Told) -> bool:
    word = sentence.word(at)
    if word in known.ALWAYS_OPEN:
        return word in row.hours
    if word == "opening" and sentence.word(at + 1) in ("hours", "times"):
        return True
    if word == "opens":
        return word in row.hours
    asked = {"when", "whether"} & {piece.folded for piece in sentence.pieces[max(0, at - 3) : at]}
    return row.state == "open" or (bool(asked) and row.state == "" and any(piece.kind == "unsure" for piece in sentence.pieces[at:]))


def _closed(sentence: Sentence, at: int, row: Told) -> bool:
    word = sentence.word(at)
    if word in ("closes", "closing", "shuts"):
        return "closes" in row.hours or "until" in row.hours
    return row.state == "closed"


def _access(_sentence: Sentence, _at: int, row: Told) -> bool:
    return row.fact("wheelchair") == "step-free"


def _time(sentence: Sentence, at: int, row: Told) -> bool:
    return sentence.word(at) in row.times


def _state(sentence: Sentence, at: int, row: Told) -> bool:
    return sentence.word(at).replace("canceled", "cancelled") == row.row.status


def _near(sentence: Sentence, at: int, row: Told) -> bool:
    """Nearness needs a distance that is known; "next" alone is no place."""
    word, after = sentence.word(at), at + 1
    if word == "next" and sentence.word(after) != "to":
        return True
    while sentence.word(after) in ("to", "by", "the"):
        after += 1
    piece = sentence.pieces[after] if after < len(sentence.pieces) else None
    if piece is not None and _inside(piece, row):
        return word in ("near", "close", "nearby")
    return row.row.distance_m is not None and row.row.distance_m <= known.NEAR[word]


def _inside(piece: Piece, row: Told) -> bool:
    if piece.kind == "term":
        return any(hit.kind == "area" and hit.ref in row.areas for hit in piece.hits)
    return piece.kind == "where" and row.row.id in piece.rows


def _nearest(sentence: Sentence, at: int, row: Told) -> bool:
    if sentence.word(at + 1) == "first":
        return basis.in_order(sentence.ground)
    return basis.nearest(sentence.ground, row)


def _universal(sentence: Sentence, at: int, _row: Told) -> bool:
    return basis.universal(sentence.ground, sentence.pieces, at, sentence.choices[at])


def _own(sentence: Sentence, at: int, row: Told) -> bool:
    return row.row.id in sentence.pieces[at].rows


def _anchor(sentence: Sentence, at: int, row: Told) -> bool:
    return _anchored(sentence, at) and (not row.anchor or row.anchor.endswith(sentence.word(at)) or sentence.word(at).endswith(row.anchor))


def _soft(sentence: Sentence, at: int, _row: Told) -> bool:
    """A word of food beside one of the town's own words, which is held to the row by itself."""
    return any(piece.kind in ("term", "price", "grade") or piece.slot in ("tags", "category") for piece in sentence.pieces[max(0, at - 5) : at + 4])


def _festive(_sentence: Sentence, _at: int, row: Told) -> bool:
    return row.row.public_id.startswith(("event:", "festival:"))


def _unsure(sentence: Sentence, at: int, row: Told) -> bool:
    """That something is not known: of hours that are not, or whether a thing is so that the row does not say."""
    if sentence.word(at).endswith("small knows") or sentence.word(at) == "small does not know":
        return True
    return row.state == "" and bool({"hours", "open", "opening"} & {piece.folded for piece in sentence.pieces})


def _yes(sentence: Sentence, _at: int, _row: Told) -> bool:
    """A yes needs something in its sentence that is held to the row."""
    return any(
        piece.kind in ("term", "price", "access", "open", "fact", "unsure") or piece.slot in ("hours", "wheelchair", "price", "tags")
        for piece in sentence.pieces
    )


def _plain(_sentence: Sentence, _at: int, _row: Told) -> bool:
    return True


def _stranger(sentence: Sentence, at: int, row: Told) -> bool:
    """A word that is nobody's, but where all the words of one of the row's tags stand apart in the sentence: "dogs are welcome"."""
    word = sentence.word(at)
    spoken = {piece.folded for piece in sentence.pieces}
    return any(word in words and words <= spoken for phrase, slot in row.phrases.items() if slot == "tags" and (words := set(phrase.split())))


CHECKS: Mapping[str, Check] = {
    "name": _plain, "slot": _slot, "where": _own, "fact": _own, "anchor": _anchor, "town": _plain, "figure": _figure, "term": _term, "price": _price, "grade": _grade,
    "open": _open, "closed": _closed, "access": _access, "time": _time, "state": _state, "near": _near, "nearest": _nearest, "top": _top, "universal": _universal,
    "soft": _soft, "festive": _festive, "unsure": _unsure, "yes": _yes, "mark": _plain, "plain": _plain, "stranger": _stranger,
}  # fmt: skip


def denied(sentence: Sentence, at: int, row: Told) -> bool:
    """Whether the contrary of a piece is known to be true of a row: another price, another area, the other state of opening, no way without steps."""
    piece = sentence.pieces[at]
    match piece.kind:
        case "price":
            return bool(row.price) and known.PRICES[piece.folded] != row.price
        case "open" | "closed":
            return row.state == ("closed" if piece.kind == "open" else "open") and piece.folded in ("open", "closed", "shut")
        case "access":
            return row.fact("wheelchair") == "not step-free"
        case "where" | "term":
            area = piece.slot == "area" or any(hit.kind == "area" for hit in piece.hits)
            return area and bool(row.fact("area")) and not CHECKS[piece.kind](sentence, at, row)
        case _:
            return False
