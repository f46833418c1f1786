"""Opening hours as curators write them (OSM `opening_hours`), expanded to what the snapshot holds: open, closed or not known.

The grammar is that of <https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification>, read by opening-hours-py. Where that library says
open and the specification says only "perhaps", the hours here are unknown; where two readings of a text differ and we cannot know which holds, too.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise

import holidays
from opening_hours import OpeningHours, ParserError, State

from agent.snapshot.schema import Hours, Interval
from agent.types import Town

DAY = 1440
LONGEST = 1000  # characters; OpenStreetMap itself allows 255
SUN_LATITUDE = 65.0  # beyond it the sun does not rise and set every day
Day = tuple[Interval, ...]
Days = list[Day]

_COMMENT = re.compile(r'"[^"]*"')
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_DAY_NAME = re.compile(r"\b(mo)n(?:day)?\b|\b(tu)es?(?:day)?\b|\b(we)d(?:nesday)?\b|\b(th)u(?:rs?)?(?:day)?\b|\b(fr)i(?:day)?\b|\b(sa)t(?:urday)?\b|\b(su)n(?:day)?\b", re.IGNORECASE)  # fmt: skip
_DAY_COLON = re.compile(r"\b(Mo|Tu|We|Th|Fr|Sa|Su|PH|SH)\s*:\s")
_SUN = re.compile(r"\b(sunrise|sunset|dawn|dusk)\b", re.IGNORECASE)
_PUBLIC = re.compile(r"\bPH\b", re.IGNORECASE)
_SCHOOL = re.compile(r"\bSH\b", re.IGNORECASE)
_CLOCK = r"\d{1,2}:\d\d"
_OPEN_END = re.compile(rf"(?:{_CLOCK}|[a-z)])\s*\+(?!\s*\d)", re.IGNORECASE)
_LATE_END = re.compile(rf"{_CLOCK}\s*-\s*{_CLOCK}\s*\+")
_REPEATED = re.compile(rf"{_CLOCK}\s*/")
_SPAN = re.compile(rf"({_CLOCK})\s*-\s*({_CLOCK})")


@lru_cache(maxsize=65536)
def expand(text: str, town: Town, first: date, days: int) -> Hours:
    """Expand an `opening_hours` text for the `days` days from `first`; `known` is false where it is empty, does not parse or cannot be known.

    The minutes are wall-clock minutes of the local day. No interval passes midnight: what goes on at 24:00 goes on at 0:00 of the next day.
    `week` holds, for each weekday, what it most often is; `days` holds the dates that differ, a day that is closed throughout as
    `Interval(0, 0, "closed")`. What is in neither is closed.
    """
    try:
        found = _days(_tidy(text), town, first, days)
    except (ParserError, ValueError):
        return Hours()
    if all(day == _UNKNOWN_DAY for day in found):
        return Hours()
    return _folded(found, first)


def problem(text: str, town: Town) -> str | None:
    """Why a text cannot be used, in words that a curator can act on; None where it can, and where it is empty."""
    if not text.strip():
        return None
    if len(text) > LONGEST:
        return f"Opening hours have at most {LONGEST} characters; this has {len(text)}."
    tidy = _tidy(text)
    try:
        _library(tidy, town)
    except ParserError as error:
        return _where(tidy, str(error))
    try:
        _days(tidy, town, date(2026, 1, 1), 1)
    except (ParserError, ValueError) as error:
        return str(error) if isinstance(error, ValueError) else _HOLIDAY_MIXED
    return None


_HOLIDAY_MIXED = "PH and SH can stand beside weekdays (Sa,PH 10:00-12:00) or alone (PH off); this use of them cannot be read for sure."


def _where(text: str, message: str) -> str:
    """The library's complaint, which names a line and a column, in plain words."""
    column = re.search(r"--> \d+:(\d+)", message)
    rest = text[int(column[1]) - 1 :][:30] if column else ""
    place = f'from "{rest}" on' if rest.strip() else "at its end"
    return f"The opening hours cannot be read {place}. Write them like this: Mo-Fr 09:00-18:00; Sa 10:00-13:00; Su,PH off"


def _tidy(text: str) -> str:
    """Common spellings in the specification's own; nothing here can make a closed hour open. Comments lose their words."""
    text = _COMMENT.sub('"?"', text[: LONGEST + 1])
    text = _DASHES.sub("-", text)
    text = _DAY_NAME.sub(lambda found: next(filter(None, found.groups())).title(), text)
    return " ".join(_DAY_COLON.sub(r"\1 ", text).split()).strip("; ")


def _library(text: str, town: Town) -> OpeningHours:
    """Parse; sun events come from the town's centre, everything else from the wall clock, without a time zone."""
    if _SUN.search(text):
        return OpeningHours(text, timezone=town.timezone, coords=(town.centre.lat, town.centre.lng), auto_country=False)
    return OpeningHours(text, auto_country=False, auto_timezone=False)


def _days(text: str, town: Town, first: date, days: int) -> Days:
    """Every day's intervals. Raises ParserError, and ValueError for what parses and still cannot be known."""
    if len(text) > LONGEST:
        raise ValueError(f"Opening hours have at most {LONGEST} characters.")
    if _REPEATED.search(text):
        raise ValueError("Opening hours cannot repeat (10:00-16:00/01:30); write the times open.")
    if _SUN.search(text) and abs(town.centre.lat) > SUN_LATITUDE:
        raise ValueError("The sun does not rise and set here every day; write the times open.")
    main, *fallbacks = text.split("||")
    if any(";" in fallback for fallback in fallbacks):
        raise ValueError("A rule after a fallback (||) cannot be read for sure; put the fallback last.")
    for fallback in fallbacks:
        _library(fallback.strip(), town)
    found = _with_public_holidays(main.strip(), town, first, days)
    return [_closed_to_unknown(day) for day in found] if fallbacks else found


def _with_public_holidays(text: str, town: Town, first: date, days: int) -> Days:
    """On a public holiday `PH` is every day of the week, on another day none: two readings, of which each day takes its own."""
    plain = _with_school_holidays(text, town, first, days)
    if not _PUBLIC.search(text):
        return plain
    festive = _with_school_holidays(_PUBLIC.sub("Mo-Su", text), town, first, days)
    dates = _public_holidays(town, first, days)
    if dates is None:
        return [_agreed(pair) for pair in zip(plain, festive, strict=True)]
    late = _latest_end(text)
    today = [first + timedelta(index) in dates for index in range(days)]
    before = [first - timedelta(1) in dates, *today]
    return [
        _after(festive[index] if on else plain[index], _agreed((plain[index], festive[index])), late if on != eve else 0)
        for index, (on, eve) in enumerate(zip(today, before, strict=False))
    ]


def _with_school_holidays(text: str, town: Town, first: date, days: int) -> Days:
    """School holidays are not known: what holds is what is so with and without them."""
    plain = _read(text, town, first, days)
    if not _SCHOOL.search(text):
        return plain
    return [_agreed(pair) for pair in zip(plain, _read(_SCHOOL.sub("Mo-Su", text), town, first, days), strict=True)]


def _public_holidays(town: Town, first: date, days: int) -> set[date] | None:
    """The public holidays of the town's country and subdivision from the day before `first`; None where no list has them."""
    last = first + timedelta(days)
    try:
        found = holidays.country_holidays(town.country, subdiv=town.subdivision or None, years=range(first.year - 1, last.year + 1))
    except NotImplementedError:
        return None
    return set(found)


def _latest_end(text: str) -> int:
    """The minute of the next day after which nothing of the day before goes on: 0 where no span of the text passes midnight."""
    if _SUN.search(text) or "+" in text:
        return DAY // 2
    spans = [(_minute(opens), _minute(closes)) for opens, closes in _SPAN.findall(text)]
    return max((closes % DAY or DAY for opens, closes in spans if closes <= opens or closes > DAY), default=0)


def _minute(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def _read(text: str, town: Town, first: date, days: int) -> Days:
    """One reading of a text, cut at midnights. An open end and a comment without "closed" make what the library calls open unknown."""
    start = datetime.combine(first, time())
    end = start + timedelta(days)
    open_end = bool(_OPEN_END.search(text))
    sure = not _OPEN_END.search(_LATE_END.sub("", text))
    found: list[list[Interval]] = [[] for _ in range(days)]
    for opens, closes, state, comment in _library(text, town).intervals(start, end):
        if state == State.CLOSED:
            continue
        name = "open" if state == State.OPEN and sure and not comment else "unknown"
        for index, piece in _cut(opens.replace(tzinfo=None), closes.replace(tzinfo=None), start, name):
            found[index].append(piece)
    whole = [tuple(_joined(day)) for day in found]
    return _with_open_ends(whole) if open_end else whole


def _cut(opens: datetime, closes: datetime, start: datetime, state: str) -> Iterable[tuple[int, Interval]]:
    """Cut a span at midnights: (day from `start`, interval of that day)."""
    left = int((opens - start).total_seconds()) // 60
    right = int((closes - start).total_seconds()) // 60
    while left < right:
        index = left // DAY
        until = min(right, (index + 1) * DAY)
        yield index, Interval(left - index * DAY, until - index * DAY, state)
        left = until


def _with_open_ends(days: Days) -> Days:
    """After an open end nothing is known until noon of the next day, or until that day's opening."""
    late = [bool(day) for day in days]
    found = []
    for day, eve in zip(days, [True, *late], strict=False):
        opens = day[0].opens if day else DAY
        gaps = [(0, min(opens, DAY // 2))] if eve else []
        gaps += [(opens, DAY)] if day else []
        found.append(_painted(day, gaps))
    return found


def _painted(day: Day, gaps: Sequence[tuple[int, int]]) -> Day:
    """Make unknown what is closed within the gaps (minutes from, to)."""
    edges = sorted({0, DAY, *(edge for gap in gaps for edge in gap), *(edge for one in day for edge in (one.opens, one.closes))})
    return _day(
        (left, right, "unknown" if _state(day, left) == "closed" and any(a <= left < b for a, b in gaps) else _state(day, left))
        for left, right in pairwise(edges)
    )


def _closed_to_unknown(day: Day) -> Day:
    """Where a fallback may hold, nothing is known but what the main rules leave open."""
    return _painted(day, [(0, DAY)])


def _agreed(readings: Sequence[Day]) -> Day:
    """What all readings of a day say, and unknown where they differ."""
    edges = sorted({0, DAY, *(edge for day in readings for one in day for edge in (one.opens, one.closes))})
    return _day((left, right, _one({_state(day, left) for day in readings})) for left, right in pairwise(edges))


def _one(states: set[str]) -> str:
    return states.pop() if len(states) == 1 else "unknown"


def _after(day: Day, agreed: Day, minute: int) -> Day:
    """`agreed` before the minute and `day` from it on."""
    if not minute:
        return day
    edges = sorted({0, minute, DAY, *(edge for one in (*day, *agreed) for edge in (one.opens, one.closes))})
    return _day((left, right, _state(agreed if left < minute else day, left)) for left, right in pairwise(edges))


def _state(day: Day, minute: int) -> str:
    return next((one.state for one in day if one.opens <= minute < one.closes), "closed")


def _day(pieces: Iterable[tuple[int, int, str]]) -> Day:
    return tuple(_joined([Interval(left, right, state) for left, right, state in pieces if state != "closed"]))


def _joined(day: Iterable[Interval]) -> list[Interval]:
    """Intervals in order, those that touch and say the same made one."""
    found: list[Interval] = []
    for one in day:
        if found and found[-1].closes == one.opens and found[-1].state == one.state:
            found[-1] = Interval(found[-1].opens, one.closes, one.state)
        else:
            found.append(one)
    return found


_UNKNOWN_DAY: Day = (Interval(0, DAY, "unknown"),)
_CLOSED_DAY: Day = (Interval(0, 0, "closed"),)


def _folded(days: Days, first: date) -> Hours:
    """The most common day of each weekday as the week, and the dates that differ from it."""
    usual = [Counter(days[(weekday - first.weekday()) % 7 :: 7] or [()]).most_common(1)[0][0] for weekday in range(7)]
    week = tuple(Interval(weekday * DAY + one.opens, weekday * DAY + one.closes, one.state) for weekday in range(7) for one in usual[weekday])
    dated = {first.toordinal() + index: day or _CLOSED_DAY for index, day in enumerate(days) if day != usual[(first.weekday() + index) % 7]}
    return Hours(week, dated, known=True)
