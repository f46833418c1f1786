"""Finalize: what the finalizer sent becomes parts, its slots filled in from the gathered rows (A-39, A-40, A-41, A-58)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from agent.errors import ModelMisbehaved
from agent.types import Anchor, Budget, Kind, Part, Question, Row, Sentence

SLOT = re.compile(r"\{(r\d+)\.(\w+)\}")


def drafts(final: object, questions: Sequence[Question]) -> dict[int, Mapping[str, Any]]:
    """The final object's parts by question. Raises ModelMisbehaved where it has not the shape; a part of no question is left out."""
    listed = final.get("parts") if isinstance(final, Mapping) else None
    if not isinstance(listed, list) or not all(isinstance(part, Mapping) for part in listed):
        raise ModelMisbehaved("final must hold a list of parts")
    numbers = [question.number for question in questions]  # no set: a model may send a number that cannot be hashed
    return {part["question"]: part for part in listed if part.get("question") in numbers}


def fill(draft: Mapping[str, Any], question: Question, rows: Mapping[str, Row], anchor: Anchor | None, budget: Budget) -> Part:
    """A part with every slot filled in. Raises ModelMisbehaved for a slot, a row or a recommendation that was not gathered.

    Past the part's length whole sentences go, from the end, and with them the recommendations that only they named (A-40).
    """
    sentences = _cut([_sentence(item, rows) for item in _list(draft.get("sentences"))], budget.part_chars)
    if not sentences:
        raise ModelMisbehaved(f"part {question.number} says nothing")
    said = {row for sentence in sentences for row in sentence.rows}
    recommended = tuple(rows[row] for row in _recommended(draft, rows) if row in said)[: budget.rows]
    kind = draft.get("kind", "recommend")
    return Part(
        question=question.number,
        what=question.what,
        kind=cast("Kind", kind if kind in get_args(Kind) else "recommend"),
        status="answered" if recommended else "unknown",
        sentences=tuple(sentences),
        recommends=recommended,
        anchor=anchor,
    )


def _sentence(item: object, rows: Mapping[str, Row]) -> Sentence:
    if not isinstance(item, Mapping) or not isinstance(item.get("text"), str):
        raise ModelMisbehaved("a sentence must be an object with 'text' and 'rows'")
    cited = tuple(str(row) for row in _list(item.get("rows")))
    for row in (*cited, *(slot[0] for slot in SLOT.findall(item["text"]))):
        if row not in rows:
            raise ModelMisbehaved(f"row {row} was not gathered")
    for row, fact in SLOT.findall(item["text"]):
        if row not in cited or fact not in rows[row].facts:
            raise ModelMisbehaved(f"slot {row}.{fact} is not a fact of a row that the sentence rests on")
    text = SLOT.sub(lambda slot: rows[slot[1]].facts[slot[2]], item["text"])
    return Sentence(text.strip(), cited, free=item["text"])


def _recommended(draft: Mapping[str, Any], rows: Mapping[str, Row]) -> list[str]:
    found = []
    for item in _list(draft.get("recommends")):
        row = str(item.get("row") if isinstance(item, Mapping) else None)
        if row not in rows:
            raise ModelMisbehaved(f"row {row} was recommended and not gathered")
        if row not in found:
            found.append(row)
    return found


def _cut(sentences: list[Sentence], most: int) -> list[Sentence]:
    while sentences and len(" ".join(sentence.text for sentence in sentences)) > most:
        sentences = sentences[:-1]
    return sentences


def _list(value: object) -> list[Any]:
    if value is not None and not isinstance(value, list):
        raise ModelMisbehaved("a list was expected")
    return value or []
