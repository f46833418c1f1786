"""Composing: from gathered rows to sentences. Facts stand as slots ({r1.name}) that the harness fills in from the row."""

import re
from collections.abc import Sequence
from typing import Any

from agent.llm.rules.aspects import whether
from agent.snapshot.names import fold
from agent.types import Budget, Question, Result, Row

SLOT = re.compile(r"\{(r\d+)\.(\w+)\}")
PART_CHARS, COUNTED = Budget().part_chars, Budget().counted
_ROOM = 28  # for "Also", "and" and "That is 3 of 17."
_DETAILS = ("place_details", "event_details", "festival_details")

Said = tuple[str, tuple[str, ...]]


def compose(question: Question, results: Sequence[Result]) -> dict[str, Any]:
    """One part of the final object for a question, out of what its calls brought."""
    rows = [row for result in results for row in result.rows]
    notes = [note for result in results for note in result.notes]
    if not rows:
        return _part(question, "inform", [(_nothing(question, results), ())], [])
    if question.shape == "compare":
        return _part(question, "inform", [_compared(question, rows)], rows)
    if any(result.tool in _DETAILS for result in results):
        return _told(question, rows, notes)
    return _listed(question, rows, notes, max(result.total for result in results))


def _part(question: Question, kind: str, said: Sequence[Said], rows: Sequence[Row]) -> dict[str, Any]:
    return {
        "question": question.number,
        "kind": kind,
        "sentences": [{"text": text, "rows": list(cited)} for text, cited in said],
        "recommends": [{"row": row.id, "reason": f"{row.reason.type}:{row.reason.text}"} for row in rows],
    }


def _nothing(question: Question, results: Sequence[Result]) -> str:
    """An honest "not known", with what was looked for."""
    where = "" if question.where in (None, "city", "me") or question.where.startswith("near Q") else f" near {question.where}"
    if failed := next((result.failed for result in results if result.failed), ""):
        return f"There is {failed} that Small knows."
    when = f" {question.when}" if question.when and question.category == "festival" else ""
    is_open = " known to be open then" if question.when and question.category == "place" else ""
    what = question.what if question.what not in ("places", "events") else question.what[:-1]
    return f"There is no {what}{is_open}{where}{when} that Small knows."


def _told(question: Question, rows: Sequence[Row], notes: Sequence[str]) -> dict[str, Any]:
    """What is asked of a named thing: its hours, its way, its date, whether it has something, or what it is."""
    said = [(_tell(question, row), (row.id,)) for row in rows] + [(f"{_capital(note)}.", (rows[0].id,)) for note in notes]
    kept = [said[0]]
    for one in said[1:]:
        if one not in kept and sum(filled_length(text, rows) + 1 for text, _ in [*kept, one]) <= PART_CHARS:
            kept.append(one)
    cited = {row for _, ids in kept for row in ids}
    return _part(question, "locate" if question.shape == "where" else "inform", kept, [row for row in rows if row.id in cited])


def _tell(question: Question, row: Row) -> str:
    if row.public_id.startswith("event:"):
        return _tell_event(question, row)
    if row.public_id.startswith("festival:"):
        return _tell_festival(row)
    return _tell_place(question, row)


def _tell_place(question: Question, row: Row) -> str:
    if row.facts.get("state"):
        return f"{_slot(row, 'name')}{_at(row)} is {_slot(row, 'state')}."
    if question.shape == "yes_no" and (answer := whether(question.why, row)):
        return f"{answer[0]}{_slot(row, 'name')}{_at(row)}: {answer[1].format(row=row.id)}; {_slot(row, 'hours')}."
    if question.shape == "when":
        return f"{_slot(row, 'name')}{_at(row)}: {_slot(row, 'hours')}."
    if question.shape == "where":
        return f"{_slot(row, 'name')} is{_place(row)}{_street(row)}{_away(row)}."
    return f"{_slot(row, 'name')}{_at(row)}{_about(row)}."


def _about(row: Row) -> str:
    about = ", ".join(_slot(row, fact) for fact in ("category", "tags", "wheelchair", "price") if row.facts.get(fact))
    phone = f", phone {_slot(row, 'phone')}" if row.facts.get("phone") else ""
    return f": {about}; {_slot(row, 'hours')}{phone}" if about else f": {_slot(row, 'hours')}{phone}"


def _tell_event(question: Question, row: Row) -> str:
    if row.status != "scheduled":
        note = f": {_slot(row, 'note')}" if row.facts.get("note") else ""
        return f"{_slot(row, 'name')} is {row.status}{note}. It was to be {_slot(row, 'when')}, {_slot(row, 'location')}."
    more = "".join(f"; {_slot(row, fact)}" for fact in ("repeats", "price", "age") if row.facts.get(fact))
    verb = "was" if row.when and row.when["flag"] == "past" else "is"
    if question.shape == "where":
        return f"{_slot(row, 'name')} {verb} at {_slot(row, 'location')}: {_slot(row, 'when')}."
    return f"{_slot(row, 'name')} {verb} {_slot(row, 'when')}, {_slot(row, 'location')}{more}."


def _tell_festival(row: Row) -> str:
    state = f" is {row.status}" if row.status != "scheduled" else ""
    when = f": {_slot(row, 'when')}" if row.facts.get("when") else ""
    marks = f", {_slot(row, 'marks')}" if row.facts.get("marks") else ""
    more = "".join(
        f"; {label}{_slot(row, fact)}" for fact, label in (("tickets", "tickets: "), ("organiser", "organised by ")) if row.facts.get(fact)
    )
    return f"{_slot(row, 'name')}{state}{when}, {_slot(row, 'location')}{marks}{more}."


def _compared(question: Question, rows: Sequence[Row]) -> Said:
    """Named places side by side, the better first where a score decides."""
    wanted = question.why.partition(":")[2]
    slot = wanted.replace(" ", "_")
    facts = [_slot(row, slot) if wanted and slot in row.facts else "no score that Small knows" if wanted else _slot(row, "hours") for row in rows]
    told = [f"{_slot(row, 'name')}{_place(row, brief=True)}: {fact}" for row, fact in zip(rows, facts, strict=True)]
    return f"{_capital(wanted) + ': ' if wanted else ''}{'; '.join(told)}.", tuple(row.id for row in rows)


def _listed(question: Question, rows: Sequence[Row], notes: Sequence[str], total: int) -> dict[str, Any]:
    """The first with all its facts, the others in one breath, then how many there are when the list was cut."""
    first, others = rows[0], rows[1:]
    nearest = question.shape == "closest" and first.distance_m is not None
    said: list[Said] = [(("The nearest is " if nearest else "") + _full(first), (first.id,))]
    said += [(f"{_capital(note)}.", (first.id,)) for note in notes]
    used = sum(filled_length(text, rows) for text, _ in said) + _ROOM
    fitting = [row for at, row in enumerate(others) if used + sum(filled_length(_short(one), rows) + 5 for one in others[: at + 1]) <= PART_CHARS]
    if fitting:
        said.insert(1, (f"Also {_series([_short(row) for row in fitting])}.", tuple(row.id for row in fitting)))
    shown = [first, *fitting]
    if total > len(shown) and not nearest:
        said.append((f"That is {len(shown)} of {total}{' or more' if total == COUNTED else ''}.", tuple(row.id for row in shown)))
    return _part(question, "recommend", said, shown)


def filled_length(template: str, rows: Sequence[Row]) -> int:
    """How many characters a template has once its slots are filled in."""
    facts = {row.id: row.facts for row in rows}
    return len(SLOT.sub(lambda slot: facts.get(slot[1], {}).get(slot[2], ""), template))


def _full(row: Row) -> str:
    if row.when or row.public_id.startswith("festival:"):
        return f"{_short(row)}."
    return f"{_slot(row, 'name')}{_place(row)}{_away(row)}: {_slot(row, 'reason')}, {_slot(row, 'hours')}."


def _short(row: Row) -> str:
    away = f", {_slot(row, 'distance')}" if row.distance_m is not None else ""
    if row.when or row.public_id.startswith("festival:"):
        when = f", {_slot(row, 'when')}" if row.facts.get("when") else ""
        reason = f" ({_slot(row, 'reason')})" if fold(row.reason.text) not in fold(row.facts.get("when", "")) else ""
        return f"{_slot(row, 'name')}{when}, {_slot(row, 'location')}{away}{reason}"
    return f"{_slot(row, 'name')}{_place(row, brief=True)}{away} ({_slot(row, 'reason')})"


def _place(row: Row, *, brief: bool = False) -> str:
    """ " in Lakeside", or " at 4 Quay Street" where no area is known."""
    if row.facts.get("area"):
        return f", {_slot(row, 'area')}" if brief else f" in {_slot(row, 'area')}"
    return f", {_slot(row, 'address')}" if brief else f" at {_slot(row, 'address')}"


def _street(row: Row) -> str:
    return f", {_slot(row, 'address')}" if row.facts.get("area") and row.facts.get("address") != row.facts["area"] else ""


def _at(row: Row) -> str:
    """The address with its area, as much as is known of them."""
    street = f", {_slot(row, 'address')}" if row.facts.get("address") else ""
    area = row.facts.get("area", "")
    return street + (f", {_slot(row, 'area')}" if area and area != row.facts.get("address") else "")


def _away(row: Row) -> str:
    return f", {_slot(row, 'distance')} from {_slot(row, 'anchor')} ({_slot(row, 'walk')} on foot)" if row.distance_m is not None else ""


def _slot(row: Row, fact: str) -> str:
    return f"{{{row.id}.{fact}}}"


def _series(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{'; '.join(texts[:-1])} and {texts[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
