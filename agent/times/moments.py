"""Days and times of day put together: "tomorrow evening at 8", "from friday to sunday", "before 11 on Sunday"."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from agent.times import stretch
from agent.times.clocks import PARTS, Clock, part_at, settled, time_at, times_at
from agent.times.days import Days, days_at
from agent.times.feasts import Calendar
from agent.times.say import NIGHT_ENDS
from agent.times.stretch import DAY, Frame, Stretch

_GLUE = re.compile(r" (?:, )?(?P<at>(?:(?:at|around|about|approximately|by) )+)?(?:(?:on|in|of|from|for|and) )?")
_LEAD = re.compile(r"(?P<at>(?:(?:at|around|about|approximately) )+)")
_EVENING = re.compile(r"(?P<late>late |later )?(?:tonight|this night)(?! life)\b")
_LAST_NIGHT = re.compile(r"last night\b")
_THIS_PART = re.compile(r"(?:(?:later|earlier) )?(?=this )")
_EDGE = re.compile(
    r"(?P<until>(?:up )?until|before|by|no later than|not later than|earlier than|through)\b (?:the )?(?!the)"
    r"|(?P<after>(?:any time|anytime|some time) after|after|from|since|later than|not before|starting(?: at| from| on)?|past)\b (?:the )?(?!the)"
)
_RANGE = re.compile(r"(?:from |in )?(?P<lead>between |from |later than |after )?(?:in between )?")
_TO = re.compile(r" (?:to|until|-|through|till)(?: the)? ")
_AND = re.compile(r" and ")
_FOR = re.compile(r" for (?P<number>\d{1,3}) (?P<unit>minute|hour|day|week|month)\b")
_ISH = re.compile(r" (?:ish|approximately|or so|sharp)\b")


@dataclass(frozen=True, slots=True)
class When:
    """A time at a place of a line. `sure`: it can be nothing else; `closed`: only if nothing but the end or a small word follows."""

    start: int
    end: int
    sure: bool
    closed: bool
    read: Callable[[Frame], Stretch | None]


@dataclass(frozen=True, slots=True)
class _Moment:
    end: int
    day: Days | None = None
    clock: Clock | None = None
    part: Clock | None = None
    sure: bool = False
    closed: bool = False

    @property
    def full(self) -> bool:
        """Whether it is certain by itself: one certain word, or a day with a time."""
        return self.sure or bool(self.day and (self.clock or self.part)) or bool(self.clock and self.part)


def when_at(text: str, at: int, calendar: Calendar) -> When | None:
    """The longest time that starts at a place of a line."""
    found = [one for one in (_ranged(text, at, calendar), _edged(text, at, calendar), _single(text, at, calendar)) if one]
    return max(found, key=lambda one: one.end, default=None)


def _single(text: str, at: int, calendar: Calendar) -> When | None:
    moment = _moment_at(text, at, calendar)
    if not moment:
        return None
    end, lasting = _lasting(text, moment.end)

    def read(frame: Frame) -> Stretch | None:
        one = _placed(moment, frame)
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
    first = _moment_at(text, lead.end(), calendar) if lead else None
    joint = first and (_TO.match(text, first.end) or (lead and lead["lead"] == "between " and _AND.match(text, first.end)))
    second = _moment_at(text, joint.end(), calendar) if joint else None
    if not first or not second or not lead or not (first.day or second.day):
        return None

    def read(frame: Frame) -> Stretch | None:
        one = _placed(first, frame)
        other = one and _placed(second, frame.at(max(frame.now, one.start)))
        return Stretch(one.start, other.end, one.grain) if one and other and one.start < other.end else None

    return When(at, second.end, first.full or second.full, second.closed, read)


def _edged(text: str, at: int, calendar: Calendar) -> When | None:
    """Before, until or by a moment; after, from or since one."""
    edge = _EDGE.match(text, at)
    moment = _moment_at(text, edge.end(), calendar) if edge else None
    if not edge or not moment:
        return None
    upto, word = edge["until"], edge[0].split()[0]

    def read(frame: Frame) -> Stretch | None:
        one = _placed(moment, frame)
        return one and (_upto(one, frame, word) if upto else _onwards(one, frame, word))

    clear = moment.full or (moment.clock is not None and moment.part is None and word not in ("by", "past", "from", "through"))
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
        night = datetime.combine(one.first, time(NIGHT_ENDS))
        return Stretch(one.start, night if night > one.start else night + DAY, one.grain)
    start = one.end if word == "after" else one.start
    return Stretch(start, max(one.end + (one.end - one.start), start + 31 * DAY), one.grain)


def _moment_at(text: str, at: int, calendar: Calendar) -> _Moment | None:
    """A day, a time, a part of the day, each at most once and in any order."""
    moment = _grown(_Moment(at), text, at, calendar, _LEAD.match(text, at))
    while moment:
        glue = _GLUE.match(text, moment.end)
        more = glue and (_grown(moment, text, glue.end(), calendar, glue) or _grown(moment, text, moment.end + 1, calendar, None))
        if not more:
            ish = _ISH.match(text, moment.end)
            return replace(moment, end=ish.end()) if ish else moment
        moment = more
    return None


def _grown(moment: _Moment, text: str, at: int, calendar: Calendar, lead: re.Match[str] | None) -> _Moment | None:
    """A moment with the longest piece that stands at a place and that it lacks. After "at" a bare number is a time."""
    said_at = bool(lead and lead["at"])
    after = lead.end() if lead else at
    found = [_tonight(moment, text, at), _day(moment, text, at, calendar), _part(moment, text, at), _time(moment, text, after, said_at)]
    return max((one for one in found if one), key=lambda one: one.end, default=None)


def _day(moment: _Moment, text: str, at: int, calendar: Calendar) -> _Moment | None:
    day = None if moment.day else days_at(text, at, calendar)
    return replace(moment, end=day.end, day=day, sure=moment.sure or not day.weak, closed=day.closed) if day else None


def _tonight(moment: _Moment, text: str, at: int) -> _Moment | None:
    """Tonight, last night, this morning: a day and a part of it in one."""
    if moment.day or moment.part:
        return None
    for pattern, back in ((_EVENING, 0), (_LAST_NIGHT, 1)):
        if found := pattern.match(text, at):
            day = Days(found.end(), lambda frame, back=back: stretch.days(frame.evening - DAY * back))  # type: ignore[misc]
            night = PARTS["late night"] if found.groupdict().get("late") == "late " else PARTS["night"]
            return replace(moment, end=found.end(), day=day, part=night, sure=True, closed=False)
    this = _THIS_PART.match(text, at)
    part = part_at(text, this.end()) if this else None
    if not this or not part or part[2]:
        return None
    return replace(moment, end=part[0], day=Days(part[0], lambda frame: stretch.days(frame.today)), part=part[1], sure=True, closed=False)


def _part(moment: _Moment, text: str, at: int) -> _Moment | None:
    part = None if moment.part else part_at(text, at)
    return replace(moment, end=part[0], part=part[1], sure=moment.sure or not part[2], closed=False) if part else None


def _time(moment: _Moment, text: str, at: int, said_at: bool) -> _Moment | None:
    found = None if moment.clock else times_at(text, at) or time_at(text, at)
    if not found:
        return None
    end, clock, weak = found
    return replace(moment, end=end, clock=clock, sure=moment.sure or not weak or said_at, closed=weak and not moment.sure)


def _placed(moment: _Moment, frame: Frame) -> Stretch | None:
    """A moment on the calendar. A time without a day is the next that is not over."""
    whole = moment.day.read(frame) if moment.day else stretch.days(frame.today)
    if whole is None or not (moment.clock or moment.part) or (whole.end - whole.start) > DAY or whole.grain == "minute":
        return whole
    today = whole.first == frame.today
    clock = _settled(moment, frame.now.hour * 60 + frame.now.minute if today else None)
    one = _on(whole.first, clock)
    return _on(whole.first + DAY, clock) if not moment.day and one.end <= frame.now else one


def _settled(moment: _Moment, after: int | None) -> Clock:
    if moment.clock is None:
        return moment.part or Clock(0, 0)
    return settled(moment.clock, moment.part, after)


def _on(day: date, clock: Clock) -> Stretch:
    start = datetime.combine(day, time())
    grain: stretch.Grain = "minute" if clock.moment else "hour"
    return Stretch(start + timedelta(minutes=clock.start), start + timedelta(minutes=clock.end), grain)
