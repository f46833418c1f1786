"""Composing: from gathered rows to sentences. Facts stand as slots ({r1.name}) that the harness fills in from the row."""

import re
from collections.abc import Sequence
from typing import Any

from agent.types import Budget, Question, Result, Row

SLOT = re.compile(r"\{(r\d+)\.(\w+)\}")
PART_CHARS = Budget().part_chars
_LISTED = 5
_ROOM = 28  # for "Also", "and" and "That is 3 of 17."


def compose(question: Question, results: Sequence[Result]) -> dict[str, Any]:
    """One part of the final object for a question, out of what its calls brought."""
    rows = [row for result in results for row in result.rows]
    if not rows:
        return _part(question, "inform", [(_nothing(question, results), ())], [])
    if any(result.tool == "place_details" for result in results):
        return _told(question, rows)
    return _listed(question, results, rows)


def _part(question: Question, kind: str, sentences: Sequence[tuple[str, tuple[str, ...]]], rows: Sequence[Row]) -> dict[str, Any]:
    return {
        "question": question.number,
        "kind": kind,
        "sentences": [{"text": text, "rows": list(cited)} for text, cited in sentences],
        "recommends": [{"row": row.id, "reason": f"{row.reason.type}:{row.reason.text}"} for row in rows],
    }


def _nothing(question: Question, results: Sequence[Result]) -> str:
    """An honest "not known", with what was looked for."""
    failed = next((result.failed for result in results if result.failed), "")
    if failed:
        return f"There is {failed} that Small knows."
    where = "" if question.where in (None, "city", "me") or question.where.startswith("near Q") else f" near {question.where}"
    return f"There is no {question.what}{where} that Small knows."


def _told(question: Question, rows: Sequence[Row]) -> dict[str, Any]:
    """What a named place is asked for: its hours, its way, or what it is."""
    kind = "locate" if question.shape == "where" else "inform"
    return _part(question, kind, [(_tell(question, row), (row.id,)) for row in rows], rows)


def _tell(question: Question, row: Row) -> str:
    if row.facts.get("state"):
        return f"{_slot(row, 'name')} is {_slot(row, 'state')}{_at(row)}."
    if question.shape == "when":
        return f"{_slot(row, 'name')}{_at(row)}: {_slot(row, 'hours')}."
    if question.shape == "where":
        return f"{_slot(row, 'name')} is{_place(row)}{_away(row)}."
    about = ", ".join(_slot(row, fact) for fact in ("category", "tags", "wheelchair", "price") if row.facts.get(fact))
    phone = f", phone {_slot(row, 'phone')}" if row.facts.get("phone") else ""
    return (
        f"{_slot(row, 'name')}{_at(row)}: {about}; {_slot(row, 'hours')}{phone}."
        if about
        else f"{_slot(row, 'name')} is{_place(row)}; {_slot(row, 'hours')}{phone}."
    )


def _listed(question: Question, results: Sequence[Result], rows: Sequence[Row]) -> dict[str, Any]:
    """The first with all its facts, the others in one breath, then how many there are when the list was cut."""
    first, others = rows[0], rows[1:_LISTED]
    lead = "The nearest is " if question.shape == "closest" and first.distance_m is not None else ""
    sentences: list[tuple[str, tuple[str, ...]]] = [
        (f"{lead}{_slot(first, 'name')}{_place(first)}{_away(first)}: {_reason(first)}, {_slot(first, 'hours')}.", (first.id,))
    ]
    sentences += [(f"{_capital(note)}.", (first.id,)) for result in results for note in result.notes]
    total = max(result.total for result in results)
    used = sum(filled_length(text, rows) for text, _ in sentences) + _ROOM
    fitting = [row for at, row in enumerate(others) if used + sum(filled_length(_short(one), rows) + 5 for one in others[: at + 1]) <= PART_CHARS]
    if fitting:
        sentences.insert(1, (f"Also {_series([_short(row) for row in fitting])}.", tuple(row.id for row in fitting)))
    said = [first, *fitting]
    if total > len(said) and question.shape != "closest":
        sentences.append((f"That is {len(said)} of {total}.", tuple(row.id for row in said)))
    return _part(question, "recommend", sentences, said)


def filled_length(template: str, rows: Sequence[Row]) -> int:
    """How many characters a template has once its slots are filled in."""
    facts = {row.id: row.facts for row in rows}
    return len(SLOT.sub(lambda slot: facts.get(slot[1], {}).get(slot[2], ""), template))


def _short(row: Row) -> str:
    away = f", {_slot(row, 'distance')}" if row.distance_m is not None else ""
    return f"{_slot(row, 'name')}{_place(row, brief=True)}{away} ({_reason(row)})"


def _reason(row: Row) -> str:
    return _slot(row, "reason")


def _place(row: Row, *, brief: bool = False) -> str:
    """ " in Lakeside", or " at 4 Quay Street" where no area is known."""
    if row.facts.get("area"):
        return f" in {_slot(row, 'area')}" if not brief else f", {_slot(row, 'area')}"
    return f" at {_slot(row, 'address')}" if not brief else f", {_slot(row, 'address')}"


def _at(row: Row) -> str:
    return f", {_slot(row, 'address')}" if row.facts.get("address") else _place(row)


def _away(row: Row) -> str:
    return f", {_slot(row, 'distance')} from {_slot(row, 'anchor')} ({_slot(row, 'walk')} on foot)" if row.distance_m is not None else ""


def _slot(row: Row, fact: str) -> str:
    return f"{{{row.id}.{fact}}}"


def _series(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{'; '.join(texts[:-1])} and {texts[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
