"""Stretches with an edge: "from friday to sunday", "before 11 on Sunday", "from 20 December for 7 days"."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agent.times import stretch
from agent.times.days import Ground
from agent.times.moments import Moment, moment_at, onwards, placed
from agent.times.stretch import DAY, Frame, Stretch

_EDGE = re.compile(
    r"(?P<until>(?:up )?until|before|by|no later than|not later than|earlier than|through) "
    r"|(?P<after>(?:any time|anytime|some time) after|after|from|since|later than|not before|starting(?: at| from| on)?|past) "
)
_DOUBTFUL = ("by", "past", "from", "through")  # these stand before places too
_RANGE = re.compile(r"(?:from |in )?(?P<lead>between |from |later than |after )?(?:in between )?")
_TO = re.compile(r" (?:to|until|-|through|till)(?: the)? ")
_AND = re.compile(r" and ")
_BESIDE = re.compile(r" (?:and |or )?")
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


def when_at(ground: Ground, at: int) -> When | None:
    """The longest time that starts at a place of a line."""
    found = [one for one in (_ranged(ground, at), _single(ground, at), _edged(ground, at)) if one]
    return max(found, key=lambda one: one.end, default=None)


def _single(ground: Ground, at: int) -> When | None:
    moment = moment_at(ground, at)
    if not moment:
        return None
    end, lasting = _lasting(ground.text, moment.end)

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


def _ranged(ground: Ground, at: int) -> When | None:
    """From one moment to another, and one day with another ("friday and saturday")."""
    lead = _RANGE.match(ground.text, at)
    first = moment_at(ground, lead.end()) if lead else None
    joint = first and lead and _joint(ground.text, first, lead["lead"] or "")
    second = moment_at(ground, joint.end()) if joint else None
    if not first or not joint or not second or not (first.day or second.day):
        return None
    if _BESIDE.fullmatch(joint[0]) and (lead is None or lead["lead"] is None) and not _beside(ground, first, second, joint[0]):
        return None

    def read(frame: Frame) -> Stretch | None:
        one = placed(first, frame)
        other = one and placed(second, frame.at(max(frame.now, one.start)))
        return Stretch(one.start, other.end, one.grain) if one and other and one.start < other.end else one

    return When(at, second.end, first.full or second.full, second.closed, read)


def _joint(text: str, first: Moment, lead: str) -> re.Match[str] | None:
    """The word that leads from one moment to the next."""
    return _TO.match(text, first.end) or (_AND if lead == "between " else _BESIDE).match(text, first.end)


def _beside(ground: Ground, first: Moment, second: Moment, joint: str) -> bool:
    """Whether two moments are days that were named together: with a word between, or where a dash was lost ("Aug 8 Aug 12")."""
    plain = all(one.day and one.sure and not one.clock and not one.part and not one.has_long_day for one in (first, second))
    return plain and (joint != " " or ground.loose or all(one.day and one.day.dated for one in (first, second)))


def _edged(ground: Ground, at: int) -> When | None:
    """Before, until or by a moment; after, from or since one."""
    edge = _EDGE.match(ground.text, at)
    word = edge[0].split()[0] if edge else ""
    moment = moment_at(ground, edge.end(), said_at=word not in _DOUBTFUL) if edge else None
    if not edge or not moment:
        return None
    if word == "from" and _FOR.match(ground.text, moment.end):
        whole = _single(ground, edge.end())
        return whole and replace(whole, start=at)
    upto = edge["until"]

    def read(frame: Frame) -> Stretch | None:
        if word == "since":
            return _since(moment, frame)
        one = placed(moment, frame, timedelta(0) if upto else STILL_AFTER)
        return one and (_upto(one, frame, word) if upto else _onwards(one, word))

    clear = moment.full or (word not in _DOUBTFUL and (moment.clock is None or moment.part is None))
    return When(at, moment.end, clear, moment.closed or not moment.full, read)


def _upto(one: Stretch, frame: Frame, word: str) -> Stretch:
    """From now to a moment; "until friday" holds the Friday, "before friday" does not. Where it is over, the day before it."""
    end = one.start if word in ("before", "earlier") or one.grain in ("minute", "hour") else one.end
    return Stretch(min(frame.now, end - DAY) if end <= frame.now else frame.now, end, one.grain)


def _onwards(one: Stretch, word: str) -> Stretch:
    """From a moment on: to the end of that night for a time of day, for days as long again as is spoken of, at least a month."""
    if one.grain in ("minute", "hour"):
        return onwards(one)
    start = one.end if word == "after" else one.start
    return Stretch(start, max(one.end + (one.end - one.start), start + 31 * DAY), one.grain)


def _since(moment: Moment, frame: Frame) -> Stretch | None:
    """From the latest such moment to now: a "monday" is sought a week back, a month a year back."""
    tries = (placed(moment, frame.at(frame.now - DAY * back)) for back in (0, 1, 7, 31, 366))
    one = next((one for one in tries if one and one.start < frame.now), None)
    return Stretch(one.start, frame.now, one.grain) if one else None
