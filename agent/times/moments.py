"""Days and times of day put together: "tomorrow evening at 8", "at 11 on Sunday", "saturday after 9"."""

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from agent.times import stretch
from agent.times.clocks import PARTS, WHOLE_DAY, Clock, part_at, settled, time_at, times_at
from agent.times.days import Days, Ground, days_at
from agent.times.say import NIGHT_ENDS
from agent.times.stretch import DAY, Frame, Stretch

_GLUE = re.compile(r" (?:, )?(?P<at>(?:(?:at|around|about|approximately|by) )+)?(?:(?:on|in|of|from|for|and) )?")
_LEAD = re.compile(r"(?P<at>(?:(?:at|around|about|approximately) )+)")
_TONIGHT = re.compile(r"(?:late |later )?(?:tonight|this night|last night)(?! life)\b")
_THIS_PART = re.compile(r"(?:(?:later|earlier) )?(?=this )")
_BOUND = re.compile(r"(?:(?P<after>any ?time after|after|from|since|past)|until|before|by) ")
_PART_NEXT = re.compile(r" (?:(?:in|at|on) )?(?:the |this )?(?:morning|afternoon|evening|night|am|pm)\b")
_ISH = re.compile(r" (?:ish|approximately|or so|sharp)\b")


@dataclass(frozen=True, slots=True)
class Moment:
    end: int
    day: Days | None = None
    clock: Clock | None = None
    part: Clock | None = None
    edge: str = ""  # "after" or "until", said of the time where a day stands before it
    sure: bool = False
    closed: bool = False

    @property
    def has_long_day(self) -> bool:
        return self.day is not None and self.day.long

    @property
    def full(self) -> bool:
        """Whether it is certain by itself: one certain word, or a day with a time."""
        return self.sure or bool(self.day and (self.clock or self.part)) or bool(self.clock and self.part)


def moment_at(ground: Ground, at: int, *, said_at: bool = False) -> Moment | None:
    """A day, a time, a part of the day, each at most once and in any order. `said_at`: a word before it makes a bare number a time."""
    text = ground.text
    lead = _LEAD.match(text, at)
    moment = _grown(Moment(at), ground, at, lead.end() if lead else at, said_at or lead is not None)
    while moment:
        glue = _GLUE.match(text, moment.end)
        more = glue and (
            _grown(moment, ground, glue.end(), glue.end(), bool(glue["at"])) or _grown(moment, ground, moment.end + 1, moment.end + 1, False)
        )
        if not more:
            ish = _ISH.match(text, moment.end)
            return replace(moment, end=ish.end()) if ish else moment
        moment = more
    return None


def _grown(moment: Moment, ground: Ground, at: int, after: int, said_at: bool) -> Moment | None:
    """A moment with the longest piece that it lacks and that stands at a place, or, for a time, after the "at" there."""
    text = ground.text
    found = [
        _tonight(moment, text, at),
        _day(moment, ground, at),
        _part(moment, text, at),
        _time(moment, ground, after, said_at),
        _bounded(moment, text, at),
    ]
    return max((one for one in found if one), key=lambda one: one.end, default=None)


def _day(moment: Moment, ground: Ground, at: int) -> Moment | None:
    day = None if moment.day else days_at(ground, at)
    if day is None or (day.long and (moment.clock or moment.part)):
        return None
    return replace(moment, end=day.end, day=day, sure=moment.sure or not day.weak, closed=day.closed)


def _tonight(moment: Moment, text: str, at: int) -> Moment | None:
    """Tonight, last night, this morning: a day and a part of it in one."""
    if moment.day or moment.part:
        return None
    if found := _TONIGHT.match(text, at):
        back = DAY * found[0].endswith("last night")
        night = PARTS["late night" if found[0].startswith("late ") else "night"]
        day = Days(found.end(), lambda frame: stretch.days(frame.evening - back))
        return replace(moment, end=found.end(), day=day, part=night, sure=True, closed=False)
    this = _THIS_PART.match(text, at)
    part = part_at(text, this.end()) if this else None
    if not part or part[2] != "sure":
        return None
    return replace(moment, end=part[0], day=Days(part[0], lambda frame: stretch.days(frame.today)), part=part[1], sure=True, closed=False)


def _part(moment: Moment, text: str, at: int) -> Moment | None:
    part = None if moment.part or moment.has_long_day else part_at(text, at)
    return replace(moment, end=part[0], part=part[1], sure=moment.sure or part[2] == "sure", closed=False) if part else None


def _time(moment: Moment, ground: Ground, at: int, said_at: bool) -> Moment | None:
    """A time, or two; a bare number is one after "at" and before "in the morning" ("table for 2 tonight" is not)."""
    found = None if moment.clock or moment.has_long_day else times_at(ground.text, at) or time_at(ground.text, at)
    if not found:
        return None
    end, clock, strength = found
    if strength == "weak" and not (ground.loose or said_at or not clock.moment or _PART_NEXT.match(ground.text, end)):
        return None
    return replace(moment, end=end, clock=clock, sure=moment.sure or said_at or strength != "weak", closed=strength != "sure" and not moment.sure)


def _bounded(moment: Moment, text: str, at: int) -> Moment | None:
    """ "After 9" or "until noon" behind a day."""
    edge = _BOUND.match(text, at) if moment.day and not moment.clock and not moment.has_long_day else None
    found = time_at(text, edge.end()) if edge else None
    if not edge or not found:
        return None
    return replace(moment, end=found[0], clock=found[1], edge="after" if edge["after"] else "until", closed=False)


def placed(moment: Moment, frame: Frame, back: timedelta = timedelta(0)) -> Stretch | None:
    """A moment on the calendar. A time without a day is the next that is not over, or has been over for less than `back`."""
    whole = moment.day.read(frame) if moment.day else stretch.days(frame.today)
    if whole is None or not (moment.clock or moment.part) or whole.end - whole.start > DAY or whole.grain == "minute":
        return whole
    now = max(frame.now - back, stretch.days(frame.today).start)
    after = now.hour * 60 + now.minute if whole.first == frame.today else None
    clock = settled(moment.clock, moment.part, after) if moment.clock else moment.part or WHOLE_DAY
    one = _on(whole.first, clock)
    if moment.edge:
        return onwards(one) if moment.edge == "after" else Stretch(min(whole.start, one.start), one.start, "hour")
    return _on(whole.first + DAY, clock) if not moment.day and one.end <= now else one


def _on(day: date, clock: Clock) -> Stretch:
    start = datetime.combine(day, time())
    grain: stretch.Grain = "minute" if clock.moment else "hour"
    return Stretch(start + timedelta(minutes=clock.start), start + timedelta(minutes=clock.end), grain)


def onwards(one: Stretch) -> Stretch:
    """From a time of day to the end of its night."""
    night = datetime.combine(one.first, time(NIGHT_ENDS))
    return Stretch(one.start, night if night > one.start else night + DAY, one.grain)
