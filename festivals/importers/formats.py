"""Which kind of file is this? Told by its first characters and its name; what is plainly something else is refused with a word of help."""

import re
from datetime import datetime
from pathlib import Path

from agent.types import Town
from festivals.importers.ics import Ics
from festivals.importers.jsonld import JsonLd
from festivals.importers.rows import Reader
from festivals.importers.schedule import Schedule
from festivals.importers.table import EventTable
from places.importers.rows import ImportRefused

KINDS = ("ics", "schedule", "jsonld", "csv")
_HTML = re.compile(rb"(?i)<!doctype\s+html|<html\b")
_BINARY = (b"PK", b"\xff\xfe", b"\xfe\xff", b"%PDF")


def reader_for(path: Path, town: Town, kind: str, now: datetime) -> Reader:
    """A reader for the file. Raises ImportRefused for a file that is missing, empty, or of no kind that is known."""
    try:
        with path.open("rb") as handle:
            head = handle.read(4096)
    except OSError as error:
        raise ImportRefused(f"the file cannot be opened: {error.strerror or error}") from error
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n\0")
    if not start:
        raise ImportRefused("the file is empty")
    if b"\0" in head or head.startswith(_BINARY):
        raise ImportRefused("the file is not UTF-8 text at its start; export it as iCalendar, schedule.xml, JSON-LD or CSV in UTF-8")
    if _HTML.search(head) and start[:1] == b"<":
        raise ImportRefused("line 1 begins a web page, not a programme; look on the page for its calendar (.ics) or schedule.xml")
    found = kind or _kind(start)
    if found == "ics":
        return Ics(path, town, now)
    return Schedule(path, town) if found == "schedule" else JsonLd(path, town) if found == "jsonld" else EventTable(path, town)


def _kind(start: bytes) -> str:
    if start[:15].upper() == b"BEGIN:VCALENDAR":
        return "ics"
    return "schedule" if start[:1] == b"<" else "jsonld" if start[:1] in {b"{", b"["} else "csv"
