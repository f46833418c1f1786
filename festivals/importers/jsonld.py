"""JSON-LD with schema.org events: one, a list, an @graph, or a festival with its subEvents."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn
from zoneinfo import ZoneInfo

from agent.types import Town
from festivals.importers import moments
from festivals.importers.nodes import Node, listed, named, nodes, typed, words
from festivals.importers.prose import joined, plain
from festivals.importers.rows import EventRow, FestivalWord, Row, fitting, identity, point, tag_words, website
from festivals.importers.titles import parted
from festivals.importers.whole import check_size, text_of
from festivals.models import State
from places.importers import clean
from places.importers.rows import BadRow, ImportRefused, Refusal

DEEPEST = 100
_STATES = {"EventCancelled": State.CANCELLED.value, "EventPostponed": State.POSTPONED.value}
_ADDRESS = ("streetAddress", "postalCode", "addressLocality")


class JsonLd:
    """A JSON-LD document. Each event may be part of a festival of its own."""

    unknown_columns: tuple[str, ...] = ()

    def __init__(self, path: Path, town: Town) -> None:
        self._path = path
        self._zone = town.timezone
        self.festival: FestivalWord | None = None
        self.notes: list[str] = []

    def __iter__(self) -> Iterator[Row]:
        found = nodes(_parsed(text_of(self._path)))
        if not found:
            raise ImportRefused("this is JSON without an event of schema.org (@type Event or one of its kinds, with a startDate)")
        for number, (node, festival) in enumerate(found, start=1):
            yield self._row(f"event {number}", node, festival)

    def _row(self, where: str, node: Node, festival: Node | None) -> Row:
        key = identity(node.get("@id") or named(node.get("identifier")) or words(node.get("url")))
        notes: list[str] = []
        try:
            fields = _times(node, self._zone) | _facts(node, notes)
        except BadRow as error:
            return Refusal(where, key, str(error))
        key = key or clean.stand_in_id(fields["title"], fields["starts"].isoformat(), fields["venue"])
        tags = tag_words([word for entry in listed(node.get("keywords")) for word in named(entry).split(",")], notes)
        marked = parted(words(node.get("name")))[1]
        whole = _festival(festival, notes) if festival else None
        return EventRow(where, clean.text(self._path.stem)[:200], key, fields, tags=tags, festival=whole, marked=marked, notes=tuple(notes))


def _parsed(text: str) -> Any:
    try:
        found = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        cut = "; it was cut off, so fetch it again" if not text.rstrip().endswith(("}", "]")) else ""
        raise ImportRefused(f"line {error.lineno}: the file is no JSON ({error.msg}){cut}") from error
    except (RecursionError, ValueError) as error:
        raise ImportRefused(f"the file is no JSON that can be read: {str(error)[:100]}") from error
    _check_sizes(found)
    return found


def _no_number(said: str) -> NoReturn:
    raise ValueError(f"{said} is no number of JSON")


def _check_sizes(whole: Any) -> None:
    """Refuse a document with a value or a depth that no programme has."""
    waiting = [(whole, 0)]
    while waiting:
        one, depth = waiting.pop()
        if depth > DEEPEST:
            raise ImportRefused(f"the file is nested more than {DEEPEST} deep; this is no programme")
        if isinstance(one, str):
            check_size(one, "the file")
        elif isinstance(one, (dict, list)):
            waiting.extend((part, depth + 1) for part in (one.values() if isinstance(one, dict) else one))


def _times(node: Node, zone: ZoneInfo) -> dict[str, Any]:
    said = words(node.get("startDate"))
    if not said:
        raise BadRow("it has no startDate")
    first = moments.moment(said, "startDate", zone)
    last = moments.moment(words(node["endDate"]), "endDate", zone) if words(node.get("endDate")) else None
    if last is None and words(node.get("duration")):
        last = first + moments.length(words(node["duration"]), "duration")
    return moments.span(first, last, zone)


def _facts(node: Node, notes: list[str]) -> dict[str, Any]:
    title, state = parted(fitting("title", words(node.get("name")), notes))
    if not title:
        raise BadRow("it has no name")
    status = typed(words(node.get("eventStatus")))
    if "eventSchedule" in node:
        notes.append("its eventSchedule was left out; give each date as an event, or the calendar as iCalendar")
    organisers = ", ".join(filter(None, map(named, listed(node.get("organizer")))))
    return {
        "title": title,
        "description": joined(plain(words(node.get("description"))), f"Organised by {clean.text(organisers)}." if organisers else ""),
        "state": _STATES.get(status) or state or State.SCHEDULED.value,
        "price": fitting("price", _price(node), notes),
        "age": fitting("age", words(node.get("typicalAgeRange")), notes),
        "website": website(words(node.get("url")), notes),
    } | _where(node, notes)


def _where(node: Node, notes: list[str]) -> dict[str, Any]:
    """The first location: its name, else its address; and its point."""
    place = next(iter(listed(node.get("location"))), None)
    known = place if isinstance(place, Mapping) else {}
    geo = next((one for one in listed(known.get("geo")) if isinstance(one, Mapping)), {})
    found = point(words(geo.get("latitude") or known.get("latitude")), words(geo.get("longitude") or known.get("longitude")), notes)
    return {"venue": fitting("venue", named(place) or _address(known.get("address")), notes), "lat": found.get("lat"), "lng": found.get("lng")}


def _address(said: Any) -> str:
    return ", ".join(filter(None, (words(said.get(part)) for part in _ADDRESS))) if isinstance(said, Mapping) else words(said)


def _price(node: Node) -> str:
    """The prices of its offers as people write them: "free", "12 EUR", "8 to 12 EUR"."""
    offers = [one for one in listed(node.get("offers")) if isinstance(one, Mapping)]
    said = [words(one.get(name)) for one in offers for name in ("price", "lowPrice", "highPrice")]
    amounts = sorted({float(one) for one in said if one.replace(".", "", 1).isdecimal()})
    if words(node.get("isAccessibleForFree")).lower() == "true" or (amounts and not amounts[-1]):
        return "free"
    currency = next(filter(None, (words(one.get("priceCurrency")) for one in offers)), "")
    low_and_high = dict.fromkeys(f"{amount:.2f}".removesuffix(".00") for amount in (amounts[:1] + amounts[-1:]))
    return f"{' to '.join(low_and_high)} {currency}".strip() if amounts else next(filter(None, said), "")


def _festival(node: Node, notes: list[str]) -> FestivalWord | None:
    name = fitting("name", words(node.get("name")), notes)
    if not name:
        return None
    organisers = ", ".join(filter(None, map(named, listed(node.get("organizer")))))
    about = {
        "description": plain(words(node.get("description"))),
        "website": website(words(node.get("url")), notes),
        "organiser": fitting("organiser", organisers, notes),
    }
    status = typed(words(node.get("eventStatus")))
    return FestivalWord(name, identity(node.get("@id")), about | ({"state": _STATES.get(status, State.SCHEDULED.value)} if status else {}))
