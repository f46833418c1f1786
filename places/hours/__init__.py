"""Opening hours as curators write them (OSM `opening_hours`), expanded to what the snapshot holds: open, closed or not known.

The grammar is that of <https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification>, read by opening-hours-py. Where that library says
open and the specification says only "perhaps", the hours here are unknown; where two readings of a text differ and we cannot know which holds, too.
"""

import re
from collections import Counter
from datetime import date
from functools import lru_cache

from opening_hours import ParserError

from agent.snapshot.schema import Hours, Interval
from agent.types import Town
from places.hours.day import CLOSED, MINUTES, UNKNOWN, Day
from places.hours.reading import library, read
from places.hours.spelling import tidy

LONGEST = 1000  # characters; OpenStreetMap itself allows 255


@lru_cache(maxsize=65536)
def expand(text: str, town: Town, first: date, days: int) -> Hours:
    """Expand an `opening_hours` text for the `days` days from `first`; `known` is false where it is empty, does not parse or cannot be known.

    The minutes are wall-clock minutes of the local day. No interval passes midnight: what goes on at 24:00 goes on at 0:00 of the next day.
    `week` holds, for each weekday, what it most often is; `days` holds the dates that differ, a day that is closed throughout as
    `Interval(0, 0, "closed")`. What is in neither is closed.
    """
    if len(text) > LONGEST:
        return Hours()
    try:
        found = read(tidy(text), town, first, days)
    except (ParserError, ValueError):
        return Hours()
    return Hours() if all(day == UNKNOWN for day in found) else _folded(found, first)


def problem(text: str, town: Town) -> str | None:
    """Why a text cannot be used, in words that a curator can act on; None where it can, and where it is empty."""
    if len(text) > LONGEST:
        return f"Opening hours have at most {LONGEST} characters; this has {len(text)}."
    whole = tidy(text)
    if not whole:
        return None
    try:
        library(whole, town)
    except ParserError as error:
        return _where(whole, str(error))
    return _not_knowable(whole, town)


def _not_knowable(text: str, town: Town) -> str | None:
    """Why a text that parses says nothing for sure."""
    try:
        read(text, town, date(2026, 1, 1), 1)
    except ParserError:
        return "PH and SH stand alone (PH off) or in a list of weekdays (Sa,PH 10:00-12:00); write the dates of any other holiday rule."
    except ValueError as error:
        return str(error)
    return None


def _where(text: str, message: str) -> str:
    """The library's complaint, which names a line and a column, in plain words."""
    column = re.search(r"--> \d+:(\d+)", message)
    rest = text[int(column[1]) - 1 :][:30] if column else ""
    place = f'from "{rest}" on' if rest else "at its end"
    return f"The opening hours cannot be read {place}. Write them like this: Mo-Fr 09:00-18:00; Sa 10:00-13:00; Su,PH off"


def _folded(days: list[Day], first: date) -> Hours:
    """The most common day of each weekday as the week, and the dates that differ from it."""
    usual = [Counter(days[(weekday - first.weekday()) % 7 :: 7] or [()]).most_common(1)[0][0] for weekday in range(7)]
    week = tuple(Interval(weekday * MINUTES + one.opens, weekday * MINUTES + one.closes, one.state) for weekday in range(7) for one in usual[weekday])
    dated = {first.toordinal() + index: day or CLOSED for index, day in enumerate(days) if day != usual[(first.weekday() + index) % 7]}
    return Hours(week, dated, known=True)
