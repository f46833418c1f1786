"""One sentence held against the rows that it cites: what in it is not true of them, and why."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.blocks.grounding import words as known
from agent.blocks.grounding.basis import Ground
from agent.blocks.grounding.claims import CHECKS, denied
from agent.blocks.grounding.letters import odd_letters
from agent.blocks.grounding.read import SLOT, Phrases, Piece, read
from agent.blocks.grounding.scores import Sentence, label_scores
from agent.blocks.grounding.subjects import subjects
from agent.blocks.grounding.told import Told
from agent.snapshot.lexicon import Lexicon, singular
from agent.snapshot.names import fold

_LEAD = re.compile(r"[^,:{}]+[,:] ?")
_NOTHING = re.compile(r"There is (?P<what>no .+) that Small knows\.")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒−", "-"))
_SILENT = frozenset(("plain", "mark", "town", "festive", "happens", "past", "soft"))


@dataclass(frozen=True, slots=True)
class Town:
    """What the words of a part are held against besides its rows: the town's names, the phrases of rows and anchor, the harness's own phrases."""

    lexicon: Lexicon
    phrases: Phrases
    own: frozenset[str]


def untrue(template: str, ground: Ground, town: Town) -> Iterator[str]:
    """What in a sentence is not true, in words; `template` is the sentence as the model wrote it, its slots still standing."""
    text = re.sub(" {2,}", " ", unicodedata.normalize("NFC", template).translate(_DASHES)).strip(" ")
    if odd := odd_letters(SLOT.sub(" ", text)):
        yield from odd
        return
    if fold(text) in town.own:
        return
    if not ground.cited:
        yield from _without_rows(text, ground, town)
        return
    text = text[_lead(text, ground.said) :]
    pieces = tuple(_meaning(read(text, town.phrases, town.lexicon), town.lexicon))
    sentence = Sentence(pieces, tuple(subjects(pieces, [row.row.id for row in ground.cited])), label_scores(pieces), ground)
    yield from _states(sentence)
    yield from _claims(sentence)


def _without_rows(text: str, ground: Ground, town: Town) -> Iterator[str]:
    """A sentence that rests on no row: that nothing is known, where nothing was gathered, of what was asked; else one without any claim."""
    if nothing := _NOTHING.fullmatch(text):
        if ground.gathered:
            yield "something was found, and the sentence says that there is nothing"
        elif fold(nothing["what"]) not in town.own:
            yield from (
                f"the word '{piece.text}' was not asked for"
                for piece in read(nothing["what"][3:], town.phrases, town.lexicon)
                if _strange(piece, ground.said)
            )
        return
    for piece in read(text, town.phrases, town.lexicon):
        if piece.kind not in _SILENT:
            yield f"'{piece.text}' is claimed, and the sentence rests on no row"


def _strange(piece: Piece, said: frozenset[str]) -> bool:
    return piece.kind in ("stranger", "figure") and not set(fold(piece.text).split()) <= said


def _lead(text: str, said: frozenset[str]) -> int:
    """How long the clause is in which a sentence repeats what the resident typed ("For a quiet cafe, …"): no claim of any row.

    It stands first, ends at a comma or a colon, has no slot, and no word but plain ones and those typed.
    """
    found = _LEAD.match(text)
    folded = fold(found[0]) if found else ""
    if not found or not f"{folded} ".startswith(known.LEADS):
        return 0
    words = folded.split()
    return (
        found.end()
        if all(word in said or (word in known.PLAIN and word not in known.NEGATIONS) or set(singular(word)) & said for word in words)
        else 0
    )


def _meaning(pieces: Sequence[Piece], lexicon: Lexicon) -> Iterator[Piece]:
    """Score words with the kinds that they mean, as slots are called."""
    for piece in pieces:
        scores = [lexicon.canonical(hit) for hit in piece.hits if hit.kind == "score"]
        yield replace(piece, slot="|".join(scores)) if scores else piece


def _states(sentence: Sentence) -> Iterator[str]:
    """What does not take place, or is closed for good, is not spoken of without saying so."""
    for row in sentence.ground.cited:
        if row.row.status not in ("open", "scheduled", "") and not any(
            piece.slot == "state" or piece.kind in ("state", "closed") for piece in sentence.pieces
        ):
            yield f"{row.row.name} is {row.row.status}, and the sentence does not say so"


def _claims(sentence: Sentence) -> Iterator[str]:
    negated: dict[int, int] = {}
    unsure = _doubted(sentence.pieces)
    for at, piece in enumerate(sentence.pieces):
        if piece.kind == "negation":
            claim = _claim_after(sentence.pieces, at)
            if claim is None:
                yield f"the word '{piece.text}' denies what no row decides"
            else:
                negated[claim] = at
        elif at in negated:
            if not _holds(sentence, at, negation=True):
                yield f"'{sentence.pieces[negated[at]].text} {piece.text}' is in no fact of a row that the sentence rests on"
        elif at in unsure:
            if piece.kind in ("slot", "figure", "name") or (piece.kind not in _SILENT and piece.kind != "stranger" and _holds(sentence, at)):
                yield f"'{piece.text}' is known, and the sentence says that it is not"
            elif piece.kind == "stranger" and piece.folded not in sentence.ground.said:
                yield _why(piece)
        elif not _holds(sentence, at):
            yield _why(piece)


def _claim_after(pieces: Sequence[Piece], at: int) -> int | None:
    """What a negation denies: the next claim of its clause."""
    for later in range(at + 1, min(len(pieces), at + 7)):
        if pieces[later].kind == "mark" and pieces[later].text != "-":
            return None
        if pieces[later].kind not in ("plain", "mark"):
            return None if pieces[later].kind == "negation" else later
    return None


def _doubted(pieces: Sequence[Piece]) -> range:
    """What stands between "whether" and "Small does not know", or after "Small does not know whether"."""
    doubt = next((at for at, piece in enumerate(pieces) if piece.folded == "small does not know"), None)
    whether = next((at for at, piece in enumerate(pieces) if piece.folded == "whether"), None)
    if doubt is None or whether is None:
        return range(0)
    return range(whether + 1, doubt) if whether < doubt else range(whether + 1, len(pieces))


def _holds(sentence: Sentence, at: int, *, negation: bool = False) -> bool:
    check = denied if negation else CHECKS[sentence.pieces[at].kind]
    rows: dict[str, Told] = {row.row.id: row for row in sentence.ground.cited}
    return any(all(check(sentence, at, rows[row]) for row in choice) for choice in sentence.choices[at])


def _why(piece: Piece) -> str:
    if piece.kind == "stranger":
        return f"the name '{piece.text}' is nowhere in the rows" if piece.slot == "name" else f"the word '{piece.text}' is in no fact"
    if piece.kind == "term" and piece.hits[0].kind not in ("tag", "score", "area"):
        return f"the name '{piece.text}' is of no row that the sentence rests on"
    return f"'{piece.text}' is not true of the rows that the sentence rests on"
