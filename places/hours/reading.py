"""The days of a text: what the library reads in it, less what nobody can know."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import lru_cache

import holidays
from opening_hours import OpeningHours, State

from agent.snapshot.schema import Interval
from agent.types import Town
from places.hours.day import MINUTES, NOON, Day, agreed, changing_at, cut, joined, never_closed, with_nights, with_open_ends

SUN_LATITUDE = 65.0  # beyond it the sun does not rise and set every day
SUN_SPAN = timedelta(hours=18)  # a longer one is "sunrise-06:00" on a day when the sun rises at 7, which ends before it begins

_CLOCK = r"\d{1,2}:\d\d"
_SUN = re.compile(r"\b(?:sunrise|sunset|dawn|dusk)\b", re.IGNORECASE)
_PUBLIC = re.compile(r"\bPH\b", re.IGNORECASE)
_SCHOOL = re.compile(r"\bSH\b", re.IGNORECASE)
_OPEN_END = re.compile(rf"(?:{_CLOCK}|[a-z)]) ?\+(?! ?\d)", re.IGNORECASE)
_LATE_END = re.compile(rf"{_CLOCK} ?- ?{_CLOCK} ?\+")
_REPEATED = re.compile(rf"(?:{_CLOCK}|[a-z)]) ?/", re.IGNORECASE)
_WEEKLY = re.compile(rf"(?:{_CLOCK}|Mo|Tu|We|Th|Fr|Sa|Su|PH|SH|24/7|off|closed|open|unknown|\"\?\"|[ ,;+-])*", re.IGNORECASE)
_SPAN = re.compile(rf"({_CLOCK}) ?- ?({_CLOCK})")


def library(text: str, town: Town) -> OpeningHours:
    """Parse one rule sequence: wall-clock times, and sun events at the town's centre. Raises ParserError."""
    if _SUN.search(text):
        return OpeningHours(text, timezone=town.timezone, coords=(town.centre.lat, town.centre.lng), auto_country=False)
    return OpeningHours(text, auto_country=False, auto_timezone=False)


def read(text: str, town: Town, first: date, days: int) -> list[Day]:
    """Each day from `first`. Raises ParserError, and ValueError (in words for a curator) for what parses and still cannot be known.

    After `||` stands what holds where the rules before it close: there nothing is known.
    """
    if _REPEATED.search(text):
        raise ValueError("A time that repeats (10:00-16:00/01:30) says when something happens, not when it is open; write the times open.")
    if _SUN.search(text) and abs(town.centre.lat) > SUN_LATITUDE:
        raise ValueError("The sun does not rise and set here every day; write the times open.")
    main, *fallbacks = (part.strip() for part in text.split("||"))
    for fallback in fallbacks:
        library(fallback, town)
        if ";" in fallback:
            raise ValueError("A rule after a fallback (||) may change the rules before it; put the fallback last.")
    found = _with_public_holidays(main, town, first, days)
    return [never_closed(day) for day in found] if fallbacks else found


def _with_public_holidays(text: str, town: Town, first: date, days: int) -> list[Day]:
    """On a public holiday `PH` is every day of the week, on another day none: two readings, of which each day takes its own.

    Where a span passes midnight between a holiday and another day, what both readings say holds until the latest span has ended.
    """
    plain = _with_school_holidays(text, town, first, days)
    if not _PUBLIC.search(text):
        return plain
    festive = _with_school_holidays(_PUBLIC.sub("Mo-Su", text), town, first, days)
    dates = _public_holidays(town.country, town.subdivision, first, days)
    if dates is None:
        return [agreed(*pair) for pair in zip(plain, festive, strict=True)]
    late = _latest_end(text)
    found = []
    for index in range(days):
        day = first + timedelta(index)
        own = festive[index] if day in dates else plain[index]
        alike = (day in dates) == (day - timedelta(1) in dates)
        found.append(own if alike or not late else changing_at(late, agreed(plain[index], festive[index]), own))
    return found


def _with_school_holidays(text: str, town: Town, first: date, days: int) -> list[Day]:
    """School holidays are not known: what holds is what is so with and without them."""
    plain = _read_once(text, town, first, days)
    if not _SCHOOL.search(text):
        return plain
    return [agreed(*pair) for pair in zip(plain, _read_once(_SCHOOL.sub("Mo-Su", text), town, first, days), strict=True)]


@lru_cache(maxsize=8)
def _public_holidays(country: str, subdivision: str, first: date, days: int) -> frozenset[date] | None:
    """The public holidays of a country and its subdivision; None where no list has them."""
    last = first + timedelta(days)
    try:
        found = holidays.country_holidays(country, subdiv=subdivision or None, years=range(first.year - 1, last.year + 1))
    except NotImplementedError:
        return None
    return frozenset(found)


def _latest_end(text: str) -> int:
    """The minute of a day at which the last span that began the day before ends: 0 where no span of the text passes midnight."""
    if _SUN.search(text) or "+" in text:
        return NOON
    ends = [_minute(closes) + (MINUTES if _minute(closes) <= _minute(opens) else 0) for opens, closes in _SPAN.findall(text)]
    return max((end - MINUTES for end in ends if end > MINUTES), default=0)


def _minute(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def _read_once(text: str, town: Town, first: date, days: int) -> list[Day]:
    """One reading of a text; one that speaks of no dates is read for a week."""
    if not _WEEKLY.fullmatch(text):
        return _evaluated(text, town, first, days)
    week = _evaluated(text, town, first, 7)
    return (week * (days // 7 + 1))[:days]


def _evaluated(text: str, town: Town, first: date, days: int) -> list[Day]:
    """The library's days, with what it is too sure of made unknown: a night that a later rule cuts off at midnight, and an open end.

    They are read from the day before, whose night may reach into the first day.
    """
    start = datetime.combine(first, time()) - timedelta(1)
    found: list[list[Interval]] = [[] for _ in range(days + 1)]
    for opens, closes, state in _spans(text, town, start, start + timedelta(days + 1)):
        for index, piece in cut(opens, closes, start, state):
            found[index].append(piece)
    whole = [joined(day) for day in found]
    if ";" in text:
        whole = with_nights(whole, _latest_end(text))
    return (with_open_ends(whole) if _OPEN_END.search(text) else whole)[1:]


def _spans(text: str, town: Town, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime, str]]:
    """What is not closed, in wall-clock times. Unknown is what begins without an end, what has a comment, and a day that the sun turns round."""
    sure = not _OPEN_END.search(_LATE_END.sub("", text))
    longest = SUN_SPAN if _SUN.search(text) else timedelta.max
    for opens, closes, state, comment in library(text, town).intervals(start, end):
        if state != State.CLOSED:
            certain = state == State.OPEN and sure and not comment and closes - opens <= longest
            yield opens.replace(tzinfo=None), closes.replace(tzinfo=None), "open" if certain else "unknown"
