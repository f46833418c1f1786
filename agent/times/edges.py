"""Stretches with an edge: "from friday to sunday", "before 11 on Sunday", "from 18th Dec for 10 days"."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agent.times import stretch
from agent.times.feasts import Calendar
from agent.times.moments import Moment, moment_at, onwards, placed
from agent.times.stretch import DAY, Frame, Stretch

_EDGE = re.compile(
    r"(?P<until>(?:up )?until|before|by|no later than|not later than|earlier than|through)\b (?:the )?(?!the)"
    r"|(?P<after>(?:any time|anytime|some time) after|after|from|since|later than|not before|starting(?: at| from| on)?|past)\b (?:the )?(?!the)"
)
_RANGE = re.compile(r"(?:from |in )?(?P<lead>between |from |later than |after )?(?:in between )?")
_TO = re.compile(r" (?:to|until|-|through|till)(?: the)? ")
_AND = re.compile(r" and ")
_NOTHING = re.compile(r" ")
STILL_AFTER = timedelta(hours=6)  # "after 8" said at 21:00 means this evening
_FOR = re.compile(r" for (?P<number>\d{1,3}) (?P<unit>minute|hour|day|week|month)\b")


@dataclass(frozen=True, slots=True)
class When:
    """A time at a place of a line. `sure`: it can be nothing else; `closed`: only if nothing but the end or a small word follows."""

    start: int
    end: int
    sure: bool
    closed: bool
    read: Callable[[Frame], Stretch | None]


def when_at(text: str, at: int, calendar: Calendar) -> When | None:
    """The longest time that starts at a place of a line."""
    found = [one for one in (_ranged(text, at, calendar), _edged(text, at, calendar), _single(text, at, calendar)) if one]
    return max(found, key=lambda one: one.end, default=None)


def _single(text: str, at: int, calendar: Calendar) -> When | None:
    moment = moment_at(text, at, calendar)
    if not moment:
        return None
    end, lasting = _lasting(text, moment.end)

    def read(frame: Frame) -> Stretch | None:
        one = placed(moment, frame)
        return one and lasting(one)

    return When(at, end, moment.full, moment.closed and end == moment.end, read)


def _lasting(text: str, at: int) -> tuple[int, Callable[[Stretch], Stretch]]:
    """ "… for 10 days" after a time: where it ends, and what it makes of the time."""
    found = _FOR.match(text, at)
    if not found:
        return at, lambda one: one
    number, unit = int(found["number"]), found["unit"]

    def longer(one: Stretch) -> Stretch:
        if unit in ("minute", "hour"):
            return replace(one, end=one.start + timedelta(minutes=number * (60 if unit == "hour" else 1)))
        return replace(one, end=datetime.combine(stretch.add(one.first, number, unit), one.start.time()))

    return found.end(), longer


def _ranged(text: str, at: int, calendar: Calendar) -> When | None:
    """From one moment to another."""
    lead = _RANGE.match(text, at)
    first = moment_at(text, lead.end(), calendar) if lead else None
    joint = first and lead and _joint(text, first, lead["lead"] or "")
    second = moment_at(text, joint.end(), calendar) if joint else None
    if not first or not joint or not second or not (first.day or second.day) or (joint[0] == " " and not _dates(first, second)):
        return None

    def read(frame: Frame) -> Stretch | None:
        one = placed(first, frame)
        other = one and placed(second, frame.at(max(frame.now, one.start)))
        return Stretch(one.start, other.end, one.grain) if one and other and one.start < other.end else None

    return When(at, second.end, first.full or second.full, second.closed, read)


def _joint(text: str, first: Moment, lead: str) -> re.Match[str] | None:
    """The word that leads from one moment to the next: none where a dash was lost ("Aug 8 Aug 12")."""
    return _TO.match(text, first.end) or (_AND if lead == "between " else _NOTHING).match(text, first.end)


def _dates(first: Moment, second: Moment) -> bool:
    return all(one.sure and one.day and one.day.dated and not one.clock and not one.part for one in (first, second))


def _edged(text: str, at: int, calendar: Calendar) -> When | None:
    """Before, until or by a moment; after, from or since one."""
    edge = _EDGE.match(text, at)
    moment = moment_at(text, edge.end(), calendar) if edge else None
    if not edge or not moment:
        return None
    upto, word = edge["until"], edge[0].split()[0]

    def read(frame: Frame) -> Stretch | None:
        one = placed(moment, frame, timedelta(0) if upto else STILL_AFTER)
        return one and (_upto(one, frame, word) if upto else _onwards(one, frame, word))

    by_day = moment.day is not None and word in ("before", "until", "after", "since", "by")
    clear = moment.full or by_day or (moment.clock is not None and moment.part is None and word not in ("by", "past", "from", "through"))
    return When(at, moment.end, clear, moment.closed or not moment.full, read)


def _upto(one: Stretch, frame: Frame, word: str) -> Stretch:
    """From now to a moment; "until friday" holds the Friday, "before friday" does not. Where it is over, the day before it."""
    end = one.start if word in ("before", "earlier") or one.grain in ("minute", "hour") else one.end
    return Stretch(min(frame.now, end - DAY) if end <= frame.now else frame.now, end, one.grain)


def _onwards(one: Stretch, frame: Frame, word: str) -> Stretch:
    """From a moment on: to the end of that night for a time of day, for days as long again as is spoken of, at least a month."""
    if word == "since" or (word == "from" and one.end <= frame.now):
        return Stretch(min(one.start, frame.now), frame.now, one.grain)
    if one.grain in ("minute", "hour"):
        return onwards(one)
    start = one.end if word == "after" else one.start
    return Stretch(start, max(one.end + (one.end - one.start), start + 31 * DAY), one.grain)
