"""Small programmes for the importers' tests: all names are invented."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from agent.types import Town
from festivals.importers.report import EventReport
from festivals.importers.run import import_festivals
from tests.clock import NOW

TOWN = Town.read(Path(__file__).parents[3] / "town.toml")
INDIAN = replace(TOWN, timezone=ZoneInfo("Asia/Kolkata"))
COLUMNS = "id,festival,title,start,end,all_day,venue,lat,lng,rrule,exdates,status,price,tags,url,description"


def vevent(*lines: str, uid: str = "1", summary: str = "Choir", start: str = ":20261204T190000", end: str = ":20261204T210000") -> str:
    """A VEVENT; `start` and `end` are what follows DTSTART and DTEND, and an empty text leaves a line out."""
    known = {"UID:": uid, "SUMMARY:": summary, "DTSTART": start, "DTEND": end}
    return "\r\n".join(["BEGIN:VEVENT", *(key + value for key, value in known.items() if value), *lines, "END:VEVENT"])


def ics(*events: str, head: str = "") -> str:
    return "\r\n".join(filter(None, ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//tests//", head, *events, "END:VCALENDAR", ""])) + "\r\n"


def schedule(*events: str, title: str = "Lantern Days", zone: str = "", rooms: str = "Hall") -> str:
    about = f"<title>{title}</title><acronym>ld</acronym><time_zone_name>{zone}</time_zone_name>"
    day = f'<day date="2026-12-04"><room name="{rooms}">{"".join(events)}</room></day>'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<schedule><conference>{about}</conference>{day}</schedule>\n'


def talk(number: int = 1, title: str = "Choir", inside: str = "<start>19:00</start><duration>01:30</duration>") -> str:
    return f'<event id="{number}"><title>{title}</title>{inside}</event>'


def jsonld(**fields: Any) -> dict[str, Any]:
    return {"@context": "https://schema.org", "@type": "Event", "name": "Choir", "startDate": "2026-12-04T19:00", **fields}


def table(*lines: str, heading: str = COLUMNS) -> str:
    return "\n".join([heading, *lines]) + "\n"


def load(folder: Path, content: str | bytes | dict[str, Any] | list[Any], *, name: str = "", town: Town = TOWN, **options: Any) -> EventReport:
    """Import a file of this content."""
    text = json.dumps(content) if isinstance(content, (dict, list)) else content
    path = folder / (name or "programme.txt")
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return import_festivals(path, town, now=NOW, **options)


def counts(report: EventReport) -> tuple[int, int, int, int]:
    return report.new, report.changed, report.same, report.refused
