"""The days that words mean. Each rule is a pattern and the days it stands for, seen from a frame; some go on with other days ("first week of …").

What has no year or week means the next that is not over: "monday" is today on a Monday, "the 15th" after the 15th is next month's. "Next monday" is
that of the next calendar week (Monday to Sunday), "last monday" the latest one before today.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from agent.times.days import dates, near, spans
from agent.times.days.table import Match, Rule, shift
from agent.times.feasts import Calendar
from agent.times.stretch import Frame, Stretch, days

Read = Callable[[Frame], Stretch | None]
_RULES = (*near.RULES, *dates.RULES, *spans.RULES)


@dataclass(frozen=True, slots=True)
class Days:
    """Days at a place of a line: where they end, whether they are weak ("may", "sun": words that mean other things too), whether
    nothing but the end or a small word may follow, and how to read them. `rolls`: the next of its kind counts when it is over.
    `long`: more than a few days, so that no time of day goes with them. `dated`: a day of a month that is named.
    """

    end: int
    read: Read
    weak: bool = False
    closed: bool = False
    rolls: bool = False
    long: bool = False
    dated: bool = False


@dataclass(frozen=True, slots=True)
class Ground:
    """What is being read: the text of a line and the feasts of its town. `loose`: the words are known to speak of a time, so that a bare
    number is an hour. `seen` keeps the days that were looked for, by place.
    """

    text: str
    calendar: Calendar
    loose: bool = False
    seen: dict[int, "Days | None"] = field(default_factory=dict)


def days_at(ground: Ground, at: int, deep: int = 0) -> Days | None:
    """The longest days that stand at a place of a line."""
    if deep:
        return _days_at(ground, at, deep)
    if at not in ground.seen:
        ground.seen[at] = _days_at(ground, at, deep)
    return ground.seen[at]


def _days_at(ground: Ground, at: int, deep: int) -> Days | None:
    best = _feast_at(ground, at)
    for rule in _RULES:
        found = rule.pattern.match(ground.text, at)
        if not found:
            continue
        one = _nested(rule, found, ground, deep) if rule.goes_on else _plain(rule, found)
        if one and (best is None or (one.end, not one.weak) > (best.end, not best.weak)):
            best = one
    return best


def _plain(rule: Rule, found: Match) -> Days:
    nothing = Stretch(datetime.min, datetime.min)  # noqa: DTZ901 wall-clock times have no zone
    rolls = rule.rolls and not found.groupdict().get("year")
    return Days(
        found.end(),
        lambda frame: rule.build(found, frame, nothing),
        rule.weak,
        rule.closed,
        rolls,
        rule.long,
        {"day", "month"} <= found.groupdict().keys(),
    )


def _nested(rule: Rule, found: Match, ground: Ground, deep: int) -> Days | None:
    inner = days_at(ground, found.end() + 1, deep + 1) if deep < 3 else None
    if inner is None:
        return None

    def read(frame: Frame) -> Stretch | None:
        whole = inner.read(frame)
        part = whole and rule.build(found, frame, whole)
        if part and whole and inner.rolls and part.end <= frame.now:
            whole = inner.read(frame.at(whole.end))
            part = whole and rule.build(found, frame, whole)
        return part

    return Days(inner.end, read, closed=inner.closed or inner.weak)


def _feast_at(ground: Ground, at: int) -> Days | None:
    calendar = ground.calendar
    found = calendar.pattern.match(ground.text, at)
    if not found:
        return None
    single = " " not in found["name"]
    weak = single and not (found["prep"] or found["which"] or found["year"])
    return Days(found.end(), lambda frame: _feast(found, frame, calendar), weak, closed=single, rolls=not found["year"])


def _feast(found: Match, frame: Frame, calendar: Calendar) -> Stretch | None:
    """A feast of a year, or the next that is not over, or the last that is."""
    name = "easter weekend" if found["name"] == "easter" and found["prep"] else found["name"]

    def of(year: int) -> Stretch | None:
        dated = calendar.feasts[name](year)
        return days(*dated) if dated else None

    said, this = found["year"] or "", frame.today.year
    if said:
        return of(int(said) if said.isdigit() else this + shift(said))
    near = [one for further in (-2, -1, 0, 1, 2, 3) if (one := of(this + further))]
    if found["which"] in ("last", "past", "previous"):
        return next((one for one in reversed(near) if one.end <= frame.now), None)
    return next((one for one in near if one.end > frame.now), None)
