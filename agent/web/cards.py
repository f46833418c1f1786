"""What the ask page shows of a reply: parts, cards, the strip at the foot and how it was answered, as words ready for a template."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from agent.geo import say_distance
from agent.types import Part, Reply, Resume, Row

DASH = "—"  # what stands for a figure that nobody knows
STATES = {"closed_for_good": "Closed for good", "closed_for_now": "Closed for now", "cancelled": "Cancelled", "postponed": "Postponed"}
SOURCES = {"small": "the town’s curators", "google": "Google"}
SAYS = {"where": "Or name an area", "what": "Or say it in other words", "which": "Or say which"}
_NOT_DIALLED = re.compile(r"[^\d+]")


@dataclass(frozen=True, slots=True)
class Card:
    """One row. `number` counts through the whole reply, so that a pin of the map can bear it; an empty text is not shown."""

    number: int
    id: str
    name: str
    why: str
    where: str
    when: str
    starts: str
    away: str
    hours: str
    hours_state: str
    status: str
    phone: str
    tel: str
    directions: str
    source: str


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a question back. `chosen` is true where it was picked before and its question is shown again."""

    id: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A question back: the number of its question, its options, what the box beside them is called, and what was written there before."""

    number: int
    choices: tuple[Choice, ...]
    say: str
    said: str


@dataclass(frozen=True, slots=True)
class ShownPart:
    """The answer to one question: its heading, its sentences, its cards. `known` is false where the town does not know.

    `asked` is what it was asked back about, where it was.
    """

    heading: str
    sentences: tuple[str, ...]
    cards: tuple[Card, ...]
    known: bool
    asked: Asked | None


@dataclass(frozen=True, slots=True)
class Step:
    """How one question was answered, as rows of a table: what is told, and its words."""

    heading: str
    facts: tuple[tuple[str, str], ...]


def show_parts(reply: Reply, resumed: Resume | None = None) -> tuple[ShownPart, ...]:
    """The parts in the order asked. `resumed` is what was answered to a question back: where that is asked again, it is kept."""
    numbers = count(1)
    asked = {one["question"]: _asked(one, resumed) for one in reply.body["followups"]}
    unnamed = "Your question" if len(reply.parts) == 1 else "Question {}"
    return tuple(
        _part(part, body | {"what": body["what"] or unnamed.format(part.question)}, numbers, asked.get(part.question))
        for part, body in zip(reply.parts, reply.body["parts"], strict=True)
    )


def _asked(followup: Mapping[str, Any], resumed: Resume | None) -> Asked:
    number = followup["question"]
    picks = [pick for pick in (resumed.picks if resumed else ()) if pick.question == number]
    chosen, said = (picks[-1].option, picks[-1].say) if picks else ("", "")
    choices = tuple(Choice(option["id"], option["label"], option["id"] == chosen) for option in followup["options"])
    return Asked(number, choices, SAYS[followup["slot"]], said)


def show_steps(body: Mapping[str, Any]) -> tuple[Step, ...]:
    """Of each question: how it was read, from where it was looked, and what was looked up."""
    meta = body["meta"]
    anchors = {part["question"]: part["anchor"] for part in body["parts"]}
    return tuple(_step(number, read, anchors.get(number), meta["calls"]) for number, read in enumerate(meta["questions"], start=1))


def show_strip(meta: Mapping[str, Any], zone: ZoneInfo) -> tuple[tuple[str, str], ...]:
    """The strip at the foot (R-11): names and their values, "—" for what is not known."""
    tokens = meta["tokens"]
    cost = DASH if meta["cost"] is None else f"{meta['cost']:g}"
    return (
        ("Model", str(meta["model"])),
        ("Time", _duration(meta["latency_ms"])),
        ("Tokens", DASH if tokens["in"] is None or tokens["out"] is None else str(tokens["in"] + tokens["out"])),
        ("Cost", cost),
        ("Snapshot", say_snapshot(meta["snapshot"]["number"], datetime.fromisoformat(meta["snapshot"]["published"]), zone)),
    )


def say_snapshot(number: int, published: datetime, zone: ZoneInfo) -> str:
    """The snapshot's number and its date, by the town's calendar."""
    day = published.astimezone(zone)
    return f"{number}, {day.day} {day:%B %Y}"


def _part(part: Part, body: Mapping[str, Any], numbers: Iterator[int], asked: Asked | None) -> ShownPart:
    cards = tuple(_card(next(numbers), row, shown) for row, shown in zip(part.recommends, body["recommends"], strict=True))
    return ShownPart(_heading(body), tuple(one["text"] for one in body["sentences"]), cards, part.status != "unknown", asked)


def _heading(body: Mapping[str, Any]) -> str:
    """ "Cafe near Mirror Lake"; the place alone where only that was asked."""
    what = body["what"]
    return f"{what[:1].upper()}{what[1:]}{_seen_from(body['anchor'], what)}"


def _seen_from(anchor: Mapping[str, str] | None, what: str) -> str:
    if anchor is None or anchor["rung"] == "city" or anchor["name"].casefold() in what.casefold():
        return ""
    return f" in {anchor['name']}" if anchor["rung"] == "area" else f" near {anchor['name']}"


def _card(number: int, row: Row, body: Mapping[str, Any]) -> Card:
    opening, phone = body["open"], row.facts.get("phone", "")
    closed = body["status"] in STATES
    when = body["when"] or {}
    return Card(
        number=number,
        id=body["id"],
        name=body["name"],
        why=body["reason"]["text"],
        where=_where(row, body),
        when=f"{_capital(when['relative'])}, {when['absolute']}" if when else "",
        starts=when.get("starts", ""),
        away="" if body["distance_m"] is None else f"{say_distance(body['distance_m'])}, {body['walk_minutes']} min on foot",
        hours="" if closed or not opening else _capital(opening["text"]),
        hours_state=opening["state"] if opening else "",
        status=STATES.get(body["status"], ""),
        phone=phone,
        tel=_tel(phone),
        directions=_directions(body),
        source=SOURCES.get(body["source"], body["source"]),
    )


def _where(row: Row, body: Mapping[str, Any]) -> str:
    """The address, then the area, each said once."""
    return ", ".join(dict.fromkeys(text for text in (row.facts.get("address"), body["location"]) if text))


def _tel(phone: str) -> str:
    """A `tel:` address (RFC 3966) of the first number, or nothing where there is none to dial."""
    digits = _NOT_DIALLED.sub("", re.split(r"[;,/]", phone)[0])
    return f"tel:{digits}" if len(digits) > 2 else ""


def _directions(body: Mapping[str, Any]) -> str:
    """A `geo:` address (RFC 5870) with a label, which opens the visitor's own map and asks no other host."""
    if body["lat"] is None:
        return ""
    point = f"{body['lat']:.6f},{body['lng']:.6f}"
    return f"geo:{point}?q={point}({quote(body['name'], safe='')})"


def _step(number: int, read: Mapping[str, Any], anchor: Mapping[str, str] | None, calls: list[dict[str, Any]]) -> Step:
    facts = [("Looked for", read["what"]), ("Reason", read["why"])]
    facts.append(("Looked from", f"{anchor['name']} ({anchor['rung']})" if anchor else DASH))
    facts += [("Looked up", _call(call)) for call in calls if call["question"] == number]
    return Step(f"Question {number}", tuple(fact for fact in facts if fact[1]))


def _call(call: Mapping[str, Any]) -> str:
    if call.get("refused"):
        return f"{call['tool']}: refused, {call['refused']}"
    return f"{call['tool']}: {call['rows']} {'row' if call['rows'] == 1 else 'rows'}"


def _duration(ms: int) -> str:
    return f"{ms} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
