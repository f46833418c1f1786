"""A sentence under the check, and which of its words name which of its scores."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent.blocks.grounding import words as known
from agent.blocks.grounding.basis import Ground
from agent.blocks.grounding.read import Piece
from agent.blocks.grounding.subjects import Choice
from agent.blocks.grounding.told import Told


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence under the check: its pieces, what each may be said of, and for each score word the figure that it labels."""

    pieces: tuple[Piece, ...]
    choices: tuple[tuple[Choice, ...], ...]
    labels: Mapping[int, int]
    ground: Ground

    def word(self, at: int) -> str:
        return self.pieces[at].folded if 0 <= at < len(self.pieces) else ""


def label_scores(pieces: tuple[Piece, ...]) -> dict[int, int]:
    """Which score word names which score: "8 of 10 for quiet" by what follows, "quiet 8 of 10" by what goes before. A word that is said of
    the place itself ("is quiet: 8 of 10") labels nothing.
    """
    marks = [at for at, piece in enumerate(pieces) if is_score(piece)]
    named = {at for at, piece in enumerate(pieces) if piece.kind == "name"}
    labels: dict[int, int] = {}
    for number, at in enumerate(marks):
        ahead = range(at + 1, min([len(pieces), *marks[number + 1 : number + 2], *(name for name in named if name > at)]))
        behind = range(at - 1, max([-1, *marks[:number][-1:], *(name for name in named if name < at)]), -1)
        after = next((one for one in ahead if score_kinds(pieces[one]) and any(pieces[two].folded in ("for", "on") for two in range(at, one))), None)
        before = next(
            (one for one in behind if score_kinds(pieces[one]) and one not in labels and (one == 0 or pieces[one - 1].folded not in known.BE)), None
        )
        if (word := after if after is not None else before) is not None:
            labels[word] = at
    return labels


def is_score(piece: Piece) -> bool:
    if piece.kind == "figure":
        return piece.figure is not None and piece.figure.kind == "share"
    return piece.kind == "slot" and piece.slot not in _NOT_SCORES


_NOT_SCORES = frozenset(
    "name location address area venue festival category tags hours price wheelchair phone website state anchor distance walk reason when date time until "
    "age access repeats note next_dates off marks organiser tickets description".split()
)


def score_kinds(piece: Piece) -> set[str]:
    return {hit.text for hit in piece.hits if hit.kind == "score"}


def label_of(sentence: Sentence, at: int, row: Told) -> set[str]:
    """The kinds of score that the word beside a score may mean."""
    return next((_of_town(sentence.pieces[word], row) for word, marked in sentence.labels.items() if marked == at), set())


def _of_town(piece: Piece, row: Told) -> set[str]:
    """The kinds of a score word as the row's facts name them; a word that none of its scores goes by stands for itself."""
    return {kind for kind in row.scores if means(piece, kind)} or {"?"}


def means(piece: Piece, kind: str) -> bool:
    return any(hit.kind == "score" and kind in piece.slot.split("|") for hit in piece.hits)
