"""Whether one piece of a sentence is true of one row: a check for each kind of piece."""

from collections.abc import Callable, Mapping

from agent.blocks.grounding import basis
from agent.blocks.grounding import words as known
from agent.blocks.grounding.amounts import anchored, figure_holds, from_anchor
from agent.blocks.grounding.read import Piece
from agent.blocks.grounding.scores import Sentence, is_score, label_of, means, score_kinds
from agent.blocks.grounding.told import Told

GOOD = 0.6  # of the whole: from here on a score may be told as praise ("a quiet cafe")
_SHARED = frozenset(("distance", "walk"))


Check = Callable[[Sentence, int, Told], bool]


def _slot(sentence: Sentence, at: int, row: Told) -> bool:
    """A slot is its row's own fact, in a place where such a fact may stand."""
    piece = sentence.pieces[at]
    before = sentence.word(at - 1)
    if piece.slot == "description":
        return False
    owner = next((one for one in sentence.ground.cited if one.row.id in piece.rows), None)
    if owner is None or row.fact(piece.slot) != owner.fact(piece.slot):
        return False
    if not _fits(sentence, at):
        return False
    if piece.slot == "anchor":
        return anchored(sentence, at)
    if piece.slot in _SHARED:
        return before not in ("at", "cost", "costs", "for", "opens", "closes") and from_anchor(sentence, at)
    return not is_score(piece) or piece.slot.replace("_", " ") in (label_of(sentence, at, row) or {piece.slot.replace("_", " ")})


def _fits(sentence: Sentence, at: int) -> bool:
    """Whether such a fact may follow the word before it: no phone number after "costs", and after "closes at" a time alone."""
    slot, before = sentence.pieces[at].slot, sentence.word(at - 1)
    if before == "at" and sentence.pieces[at - 2].kind in ("open", "closed"):
        return slot in ("time", "until")
    return slot in known.FITS.get(before, {slot}) and not (before == "at" and slot in ("phone", "website", "price", "category", "tags"))


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
    return bool(row.anchor) and row.anchor.endswith(piece.folded) and anchored(sentence, at)


def _scored(sentence: Sentence, at: int, row: Told) -> bool:
    piece = sentence.pieces[at]
    kinds = [kind for kind in row.scores if means(piece, kind)]
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
    scored = next((at + 1 + on for on, piece in enumerate(after) if score_kinds(piece)), None)
    return scored is not None and any(basis.topmost(sentence.ground, row, kind) for kind in row.scores if means(sentence.pieces[scored], kind))


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
    return anchored(sentence, at) and (not row.anchor or row.anchor.endswith(sentence.word(at)) or sentence.word(at).endswith(row.anchor))


def _soft(sentence: Sentence, at: int, _row: Told) -> bool:
    """A word of food beside one of the town's own words, which is held to the row by itself."""
    return any(piece.kind in ("term", "price", "grade") or piece.slot in ("tags", "category") for piece in sentence.pieces[max(0, at - 5) : at + 4])


def _festive(_sentence: Sentence, _at: int, row: Told) -> bool:
    return row.row.public_id.startswith(("event:", "festival:"))


def _happens(_sentence: Sentence, _at: int, row: Told) -> bool:
    """To take place is of an event that does."""
    return row.row.public_id.startswith(("event:", "festival:")) and row.row.status == "scheduled"


def _past(_sentence: Sentence, _at: int, row: Told) -> bool:
    """What was is told of what is over or called off; nobody knows of a place what it was."""
    over = row.row.when is not None and row.row.when.get("flag") == "past"
    return over or row.row.status not in ("open", "scheduled")


def _needs(sentence: Sentence, at: int, _row: Told) -> bool:
    return any(piece.slot == known.NEEDS[sentence.word(at)] for piece in sentence.pieces)


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
    "name": _plain, "slot": _slot, "where": _own, "fact": _own, "anchor": _anchor, "town": _plain, "figure": figure_holds, "term": _term, "price": _price, "grade": _grade,
    "open": _open, "closed": _closed, "access": _access, "time": _time, "state": _state, "near": _near, "nearest": _nearest, "top": _top, "universal": _universal,
    "soft": _soft, "festive": _festive,
    "happens": _happens,
    "past": _past,
    "needs": _needs, "unsure": _unsure, "yes": _yes, "mark": _plain, "plain": _plain, "stranger": _stranger,
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
