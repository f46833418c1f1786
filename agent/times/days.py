"""The days that words mean. Each rule is a pattern and the days it stands for, seen from a frame; some go on with other days ("first week of …").

What has no year or week means the next that is not over: "monday" is today on a Monday, "the 15th" after the 15th is next month's. "Next monday" is
that of the next calendar week (Monday to Sunday), "last monday" the latest one before today.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from agent.times import stretch
from agent.times.feasts import Calendar, public_holidays
from agent.times.stretch import DAY, Frame, Stretch, between, days, monday, week
from agent.times.words import MONTHS, WEEKDAYS

Match = re.Match[str]
Read = Callable[[Frame], Stretch | None]

_M = rf"(?P<month>{'|'.join(MONTHS)})\b"
_WD = rf"(?P<weekday>{'|'.join(WEEKDAYS)})"
_SHORT = {"mon": "monday", "wed": "wednesday", "sat": "saturday", "sun": "sunday", "jan": "january", "mar": "march", "jun": "june"}
_D = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_ORD = r"(?:st|nd|rd|th)"
_YEAR = r"(?:,? (?:of |in )?(?P<year>(?:19|20)\d\d)\b)?"
_NEXT = r"(?:next|(?:up)?coming|following)"
_LAST = r"(?:last|previous|past)"
_THIS = r"(?:this|current)"
_WHICH = rf"(?P<which>{_THIS}|{_NEXT}|{_LAST})"
_NUMBER = r"(?P<number>\d{1,3}(?:\.5| and an? half)?|an?|(?:a )?couple(?: of)?|(?:a )?few|several|half an?|half)"
_UNIT = r"(?P<unit>minute|hour|day|week|fortnight|month|year)\b"
_AWAY = r"(?! (?:walk|drive|away|on foot|of|from (?!now|today)|by|or less))"


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


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    build: Callable[[Match, Frame, Stretch], Stretch | None]
    weak: bool
    closed: bool
    goes_on: bool
    rolls: bool
    long: bool


_RULES: list[_Rule] = []


def _rule(
    pattern: str, *, weak: bool = False, closed: bool = False, goes_on: bool = False, rolls: bool = False, long: bool = False
) -> Callable[[Callable[[Match, Frame, Stretch], Stretch | None]], Callable[[Match, Frame, Stretch], Stretch | None]]:
    """Enter a function into the table. `goes_on`: other days must follow the pattern, and come as the third argument."""

    def enter(build: Callable[[Match, Frame, Stretch], Stretch | None]) -> Callable[[Match, Frame, Stretch], Stretch | None]:
        _RULES.append(_Rule(re.compile(rf"(?:{pattern})(?![a-z0-9])"), build, weak, closed, goes_on, rolls, long))
        return build

    return enter


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


def _plain(rule: _Rule, found: Match) -> Days:
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


def _nested(rule: _Rule, found: Match, ground: Ground, deep: int) -> Days | None:
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
        return of(int(said) if said.isdigit() else this + _shift(said))
    near = [one for further in (-2, -1, 0, 1, 2, 3) if (one := of(this + further))]
    if found["which"] in ("last", "past", "previous"):
        return next((one for one in reversed(near) if one.end <= frame.now), None)
    return next((one for one in near if one.end > frame.now), None)


# Days beside today


@_rule(r"today|this day")
def _today(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(frame.today)


@_rule(r"(?:the )?day after tomorrow|overmorrow")
def _overmorrow(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(frame.today + 2 * DAY)


@_rule(r"tomorrow")
def _tomorrow(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(frame.today + DAY)


@_rule(r"(?P<before>(?:the )?day before )?yesterday")
def _yesterday(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(frame.today - (2 if found["before"] else 1) * DAY)


# Weekdays


def _weekday(found: Match) -> int:
    said = found["weekday"]
    return WEEKDAYS.index(_SHORT.get(said, said))


def _coming(frame: Frame, weekday: int) -> date:
    return frame.today + DAY * ((weekday - frame.today.weekday()) % 7)


@_rule(rf"{_WD}(?! (?:roast|best|school|papers|street|lane|road|club|people))")
@_rule(rf"(?:on|this|coming|this coming|upcoming|every|each|by|until|from|since) {_WD}s?")
@_rule(r"(?:on|this|coming|this coming|every|each|by|until) (?P<weekday>mon|wed|sat|sun)", closed=True)
@_rule(r"(?P<weekday>mon|wed|sat|sun)", weak=True)
def _next_weekday(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(_coming(frame, _weekday(found)))


@_rule(rf"(?:on )?{_WD} week")
def _weekday_week(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(_coming(frame, _weekday(found)) + 7 * DAY)


@_rule(rf"(?:the )?{_WD} after next")
def _weekday_after_next(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(_coming(frame.at(frame.now + DAY), _weekday(found)) + 7 * DAY)


@_rule(rf"(?:on )?(?P<which>next|following|last|past|previous) (?P<weekday>{'|'.join(WEEKDAYS)}|mon|wed|sat|sun)")
def _weekday_beside(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    weekday = _weekday(found)
    if found["which"] in ("next", "following"):
        return days(monday(frame.today) + DAY * (7 + weekday))
    return days(_coming(frame, weekday) - 7 * DAY)


@_rule(rf"(?P<number>\d{{1,2}}) {_WD}s? (?P<way>from now|from today|hence|ago|back)")
def _weekdays_away(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    number, weekday = int(found["number"]), _weekday(found)
    if found["way"] in ("ago", "back"):
        return days(_coming(frame, weekday) - 7 * DAY * number)
    return days(_coming(frame.at(frame.now + DAY), weekday) + 7 * DAY * (number - 1))


@_rule(r"(?:(?:on|over|at|this|next|the) )*(?:bank|public) holiday(?P<kind> monday| weekend)?")
def _public_holiday(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    """The next public holiday; with "monday" one on a Monday, with "weekend" the days from the Saturday before that."""
    town, kind = frame.town, found["kind"]
    listed = (day for year in (frame.today.year, frame.today.year + 1) for day in public_holidays(town.country, town.subdivision, year))
    day = next((day for day in listed if day >= frame.today and (not kind or day.weekday() == 0)), None)
    if day is None:
        return None
    return days(day - 2 * DAY, 3) if kind == " weekend" else days(day)


# Weeks, weekends, months, years


def _shift(which: str) -> int:
    return 1 if re.match(_NEXT, which) else -1 if re.match(_LAST, which) else 0


@_rule(rf"(?:around )?(?:the |this )?{_WHICH} {_UNIT}", long=True)
def _unit_beside(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _unit(frame, found["unit"], _shift(found["which"]))


@_rule(r"(?:the )?(?P<unit>week|month|year)", weak=True, long=True)
def _this_unit(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _unit(frame, found["unit"], 0)


def _unit(frame: Frame, unit: str, shift: int) -> Stretch | None:
    today = frame.today
    if unit == "month":
        return stretch.month(today.year, today.month + shift)
    if unit == "year":
        return stretch.year(today.year + shift)
    if unit in ("day", "week"):
        return week(today + 7 * DAY * shift) if unit == "week" else days(today + DAY * shift)
    return _length(frame, 1 if shift >= 0 else -1, unit)


@_rule(r"all (?P<unit>week|month|year)", long=True)
def _all_of(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _unit(frame, found["unit"], 0)


@_rule(r"(?:the )?(?P<unit>weekend|week|month|year) after next", long=True)
def _unit_after_next(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _weekend_of(frame.today + 14 * DAY) if found["unit"] == "weekend" else _unit(frame, found["unit"], 2)


@_rule(r"(?:(?:at|on|over|for|in|this|coming) )+(?:the )?(?:weekend|week end)s?|all weekend")
@_rule(r"(?:the )?(?:weekend|week end)s?", closed=True)
def _weekend(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return _weekend_of(frame.today)


@_rule(r"(?:(?:the|on|over|this) )*(?P<which>next|following|last|past|previous) (?:weekend|week end)")
def _weekend_beside(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return _weekend_of(frame.today + 7 * DAY * _shift(found["which"]))


def _weekend_of(day: date) -> Stretch:
    """From Friday, 17:00, to the end of Sunday."""
    whole = days(monday(day) + 4 * DAY, 3)
    return Stretch(whole.start + timedelta(hours=17), whole.end)


@_rule(r"(?:the )?rest of(?: the)?", goes_on=True)
@_rule(r"later", goes_on=True)
def _rest(_found: Match, frame: Frame, whole: Stretch) -> Stretch:
    return Stretch(max(whole.start, frame.now) if frame.now < whole.end else whole.start, whole.end, whole.grain)


@_rule(r"(?:the )?week of", goes_on=True)
def _week_of(_found: Match, _frame: Frame, whole: Stretch) -> Stretch:
    return week(whole.first)


@_rule(rf"(?:on |the )?{_WD}(?: of| in| from)?(?= (?:the )?(?:this|next|last|previous|following|coming|week) )", goes_on=True)
def _weekday_of_week(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    return days(whole.first + DAY * _weekday(found)) if whole.grain == "week" else None


@_rule(rf"(?P<which>this|next|last) week (?:on )?{_WD}")
def _week_and_weekday(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(week(frame.today + 7 * DAY * _shift(found["which"])).first + DAY * _weekday(found))


# Months and dates


def _month(found: Match) -> int:
    said = found["month"]
    return MONTHS.index(_SHORT.get(said, said)) + 1


def _month_ahead(frame: Frame, number: int) -> Stretch:
    this = stretch.month(frame.today.year, number)
    return this if this.end > frame.now else stretch.month(frame.today.year + 1, number)


@_rule(rf"(?:in |during |of |for |this |throughout ){_M}(?:(?:,? of|,? in)? (?P<year>(?:19|20)\d\d))?", rolls=True, long=True)
@_rule(rf"{_M}(?:,? of|,? in)? (?P<year>(?:19|20)\d\d)", long=True)
@_rule(r"(?P<month>january|february|july|september|october|november|december)", closed=True, rolls=True, long=True)
@_rule(r"(?P<month>march|april|may|june|august|jan|mar|jun)", weak=True, rolls=True, long=True)
def _month_named(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    said = found.groupdict().get("year")
    return stretch.month(int(said), _month(found)) if said else _month_ahead(frame, _month(found))


@_rule(rf"(?P<which>next|last) {_M}", long=True)
def _month_beside(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    number, today = _month(found), frame.today
    if found["which"] == "next":
        return stretch.month(today.year + (number <= today.month), number)
    return stretch.month(today.year - (number >= today.month), number)


@_rule(rf"(?:the )?{_M} after next", long=True)
def _month_after_next(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    number = _month(found)
    return stretch.month(frame.today.year + 1 + (number <= frame.today.month), number)


def _dated(frame: Frame, day: int, month: int, said: str | None) -> Stretch | None:
    """A day of a month; without a year the next that is not over (29 February waits for its year)."""
    if said:
        year = int(said) + (0 if len(said) > 2 else 2000 if int(said) < 70 else 1900)
        return _day(year, month, day)
    years = range(frame.today.year, frame.today.year + 9)
    return next((one for year in years if (one := _day(year, month, day)) and one.end > frame.now), None)


def _day(year: int, month: int, day: int) -> Stretch | None:
    try:
        return days(date(year, month, day))
    except ValueError:
        return None


_ON = rf"(?:(?:on|for|by|in) )?(?:(?:{_WD}|mon|wed|sat|sun),? )?"
_NOT_VERB = r"(?! (?:be|i|we|you|have|come|need|want|not)\b)"


@_rule(rf"{_ON}(?:the )?{_D}{_ORD}?(?: day)?(?: of)? {_M}{_NOT_VERB}{_YEAR}", rolls=True)
@_rule(rf"{_ON}(?:the )?{_D}{_ORD}?(?: of)? (?P<month>jan|mar|jun)\b{_YEAR}", rolls=True)
@_rule(rf"{_ON}{_M} (?:the )?{_D}(?:{_ORD}|(?![:\d]| ?[ap]m)){_YEAR}", rolls=True)
@_rule(rf"{_ON}(?P<month>jan|mar|jun) (?:the )?{_D}(?:{_ORD}|(?![:\d]| ?[ap]m)){_YEAR}", rolls=True)
def _date(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _dated(frame, int(found["day"]), _month(found), found["year"])


@_rule(rf"(?:on |by |until )?the {_D}{_ORD}", closed=True, rolls=True)
@_rule(rf"on {_D}{_ORD}", closed=True, rolls=True)
@_rule(rf"{_D}{_ORD}", weak=True, rolls=True)
def _day_of_month(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    today = frame.today
    ahead = (stretch.month(today.year, today.month + further).first for further in range(3))
    return next((one for first in ahead if (one := _day(first.year, first.month, int(found["day"]))) and one.end > frame.now), None)


@_rule(rf"(?:on )?(?:the )?{_D}{_ORD}(?: day)? (?:of|in)", goes_on=True)
def _day_of_that_month(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    return _day(whole.first.year, whole.first.month, int(found["day"])) if whole.grain == "month" else None


@_rule(rf"(?:on )?(?:{_WD}|(?P<short>mon|wed|sat|sun)),? (?:the )?{_D}{_ORD}")
def _weekday_and_day(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    """ "Tuesday the 19th": the next month in which that is so."""
    weekday = WEEKDAYS.index(_SHORT.get(found["short"] or "", found["weekday"]))
    ahead = (stretch.month(frame.today.year, frame.today.month + further).first for further in range(40))
    fit = (one for first in ahead if (one := _day(first.year, first.month, int(found["day"]))) and one.end > frame.now)
    return next((one for one in fit if one.first.weekday() == weekday), None)


@_rule(
    rf"(?:from |between )?(?:the )?{_D}{_ORD}?(?: of)?(?: {_M})? (?:to|-|until|and|through) (?:the )?(?P<to>\d\d?){_ORD}?(?: of)? (?P<month2>{'|'.join(MONTHS)}){_YEAR}"
)
def _days_of_month(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    second = MONTHS.index(found["month2"]) + 1
    last = _dated(frame, int(found["to"]), second, found["year"])
    first = last and _day(last.first.year, _month(found) if found["month"] else second, int(found["day"]))
    return between(first.first, last.end.date()) if first and last and first.first <= last.first else None


@_rule(rf"(?:from |between )?{_M} (?:the )?{_D}{_ORD}? (?:to|-|until|and|through) (?:the )?(?P<to>\d\d?)(?:{_ORD}|(?![:\d])){_YEAR}")
def _month_days(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    last = _dated(frame, int(found["to"]), _month(found), found["year"])
    first = last and _day(last.first.year, last.first.month, int(found["day"]))
    return between(first.first, last.end.date()) if first and last and first.first <= last.first else None


@_rule(r"(?:on )?(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)")
@_rule(r"(?P<year>(?:19|20)\d\d) (?P<month>[01]?\d) (?P<day>\d\d?)", weak=True)
def _iso(found: Match, _frame: Frame, _whole: Stretch) -> Stretch | None:
    return _day(int(found["year"]), int(found["month"]), int(found["day"]))


@_rule(r"(?P<year>(?:19|20)\d\d)-(?P<month>0?[1-9]|1[0-2])", long=True)
@_rule(r"(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19|20)\d\d)", long=True)
def _month_in_figures(found: Match, _frame: Frame, _whole: Stretch) -> Stretch:
    return stretch.month(int(found["year"]), int(found["month"]))


@_rule(rf"{_ON}(?P<a>\d\d?)[-/.](?P<b>\d\d?)[-/.](?P<year>\d{{4}}|\d\d)")
@_rule(r"(?P<a>\d\d?) (?P<b>\d\d?) (?P<year>(?:19|20)\d\d)", weak=True)
@_rule(rf"(?:on|by|until|from|since|{_WD}) (?!24/7)(?P<a>\d\d?)/(?P<b>\d\d?)(?P<year>)")
@_rule(r"(?!24/7)(?P<a>1[3-9]|2\d|3[01])/(?P<b>0?[1-9]|1[0-2])(?P<year>)", closed=True)
@_rule(r"(?P<a>0?[1-9]|1[0-2])/(?P<b>1[3-9]|2\d|3[01])(?P<year>)", closed=True)
@_rule(r"(?!24/7)(?P<a>\d\d?)(?:/| [-/] )(?P<b>\d\d?)(?P<year>)", weak=True)
def _figures(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    """A day and a month in figures: British order, in the United States theirs, and the other way round where only that makes a date."""
    pair = int(found["a"]), int(found["b"])
    orders = (pair, pair[::-1]) if frame.town.country != "US" else (pair[::-1], pair)
    return next((one for day, month in orders if month <= 12 and (one := _dated(frame, day, month, found["year"]))), None)


@_rule(r"(?:in |during |of )(?P<year>(?:19|20)\d\d)", closed=True, long=True)
@_rule(r"(?P<year>(?:19|20)\d\d)", weak=True, long=True)
def _year(found: Match, _frame: Frame, _whole: Stretch) -> Stretch:
    return stretch.year(int(found["year"]))


# Parts of a longer time


@_rule(r"(?:at |in |towards )?(?:the )?(?P<part>beginning|start|end|middle|mid|early|late)(?: of)?(?: around)?", goes_on=True)
def _part(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    """The first, middle or last part: three days of a week, ten of a month, a third of a year or of anything else."""
    length = (whole.end.date() - whole.first).days
    size = {"week": 3, "month": 10}.get(whole.grain, max(1, length // 3))
    if found["part"] in ("beginning", "start", "early"):
        return days(whole.first, size)
    if found["part"] in ("end", "late"):
        return days(whole.end.date() - DAY * size, size)
    return days(whole.first + DAY * ((length - size) // 2), size)


@_rule(
    rf"(?:on |in |over |for )?(?:the )?(?P<nth>\d\d?{_ORD}|last)(?P<last> last| to last)? (?P<unit>week ?end|day|week|{'|'.join(WEEKDAYS)})(?: of| in| after)?(?: the)?",
    goes_on=True,
)
def _nth(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    """ "First week of", "last friday in", "third tuesday after", "second last week of" a longer time. The first week are its first seven days."""
    nth = 1 if found["nth"] == "last" else int(found["nth"].rstrip("stndrh"))
    backwards = found["nth"] == "last" or bool(found["last"])
    end, unit = whole.end.date(), found["unit"].replace("week end", "weekend")
    first = end if " after" in found[0] else whole.first
    if unit in ("day", "week"):
        size = 1 if unit == "day" else 7
        start = end - DAY * size * nth if backwards else first + DAY * size * (nth - 1)
        one: Stretch = days(start, size, "day" if unit == "day" else "week")
    else:
        weekday = WEEKDAYS.index("saturday" if unit == "weekend" else unit)
        start = (
            end - DAY - DAY * ((end - DAY).weekday() - weekday) % (7 * DAY) - 7 * DAY * (nth - 1)
            if backwards
            else first + DAY * ((weekday - first.weekday()) % 7 + 7 * (nth - 1))
        )
        one = _weekend_of(start) if unit == "weekend" else days(start)
    return one if " after" in found[0] or (one.start < whole.end and one.end > whole.start) else None


# Numbers of days


def _count(said: str) -> float:
    if said[0].isdigit():
        return int(said.split(".", maxsplit=1)[0].split(maxsplit=1)[0]) + (0 if said.isdigit() else 0.5)
    words = {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 4}
    return words.get(said.removeprefix("a ").removesuffix(" of"), 0.5)


def _length(frame: Frame, number: float, unit: str) -> Stretch | None:
    """From now on for some units, or back from now; whole days are filled up to midnight."""
    if unit in ("minute", "hour"):
        edge = frame.later(number * (60 if unit == "hour" else 1))
        return Stretch(min(frame.now, edge), max(frame.now, edge), "minute")
    edge_day = stretch.add(frame.today, int(number), unit)
    if number < 0:
        return Stretch(datetime.combine(edge_day, datetime.min.time()), frame.now)
    return Stretch(frame.now, datetime.combine(edge_day, datetime.min.time()) + (DAY if unit == "day" else 0 * DAY))


@_rule(rf"(?:in |within |over |for )?(?:the )?(?:next|coming|upcoming|following) {_NUMBER} {_UNIT}", long=True)
@_rule(rf"{_NUMBER} (?:upcoming|coming) {_UNIT}", long=True)
@_rule(rf"within (?:the )?{_NUMBER} (?P<unit>day|week|fortnight|month|year)\b", long=True)
@_rule(rf"within (?:the )?{_NUMBER} (?P<unit>minute|hour)\b", weak=True, long=True)
def _ahead_for(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _length(frame, _count(found["number"]), found["unit"])


@_rule(rf"(?:in |over |for )?(?:the )?(?:last|past|previous) {_NUMBER} {_UNIT}", long=True)
def _back_for(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _length(frame, -_count(found["number"]), found["unit"])


@_rule(rf"in (?:about |around )?{_NUMBER}(?: more)? {_UNIT}(?: time)?{_AWAY}")
@_rule(rf"{_NUMBER} {_UNIT} (?:from (?:right )?now|from today|hence|later)")
def _in(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _away(frame, _count(found["number"]), found["unit"])


@_rule(r"(?:in )?(?P<hours>\d\d?|an) hour(?: and)? (?P<minutes>\d\d?) minute(?: from now| time)?(?! (?:walk|drive|away))", long=True)
def _in_hours_and_minutes(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    hours = 1 if found["hours"] == "an" else int(found["hours"])
    return _away(frame, hours * 60 + int(found["minutes"]), "minute")


@_rule(rf"{_NUMBER} {_UNIT} (?:ago|back)")
def _ago(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _away(frame, -_count(found["number"]), found["unit"])


@_rule(r"in (?:about )?(?:(?:a |1 |(?P<three>3 ))?(?P<quarter>quarter)s?(?: of)?(?: an?)?|(?P<a>[13])/(?P<b>[24])(?: of)?(?: an)?) hour")
def _in_part_of_hour(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    quarters = 3 if found["three"] else 1
    return _away(frame, quarters / 4 if found["quarter"] else int(found["a"]) / int(found["b"]), "hour")


def _away(frame: Frame, number: float, unit: str) -> Stretch | None:
    if unit in ("minute", "hour"):
        then = frame.later(number * (60 if unit == "hour" else 1))
        return Stretch(then, then + timedelta(minutes=1), "minute")
    if number == int(number):
        return days(stretch.add(frame.today, int(number), unit))
    halves = {"week": 3, "month": 15, "year": 182}
    return days(frame.today + DAY * halves.get(unit, 1))


@_rule(rf"{_NUMBER} (?P<unit>day|week|month|year) (?P<way>after|before)", goes_on=True)
def _beside(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    number = int(_count(found["number"])) * (1 if found["way"] == "after" else -1)
    return days(stretch.add(whole.first, number, found["unit"]))


@_rule(rf"{_NUMBER} (?P<unit>day|week|fortnight|month|year)(?: on| from)?", goes_on=True)
def _on_from(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    """ "A week on friday", "three days from tomorrow"."""
    return days(stretch.add(whole.first, int(_count(found["number"])), found["unit"])) if whole.grain == "day" else None


@_rule(r"(?:the )?(?P<eve>day|night|evening) (?P<way>after|before)", goes_on=True)
def _day_beside(found: Match, _frame: Frame, whole: Stretch) -> Stretch:
    return days(whole.end.date() if found["way"] == "after" else whole.first - DAY)


# Seasons, and the vague ones

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def _season(year: int, start: int, south: bool) -> Stretch:
    """Three whole months, as weather services count them; in the south half a year on."""
    first = stretch.month(year, start + (6 if south else 0))
    return between(first.first, stretch.month(year, start + (8 if south else 2)).end.date())


@_rule(rf"(?:in |during |over |for )(?:the |this )?(?P<season>spring|summer|autumn|winter){_YEAR}", closed=True, rolls=True, long=True)
@_rule(rf"(?:the )?{_WHICH} (?P<season>spring|summer|autumn|winter)(?P<year>)", closed=True, long=True)
@_rule(rf"(?:the )?(?P<season>spring|summer|autumn|winter){_YEAR}", weak=True, rolls=True, long=True)
def _season_named(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    start = _SEASONS[found["season"]]
    if found["year"]:
        return _season(int(found["year"]), start, frame.south)
    near = [_season(frame.today.year + further, start, frame.south) for further in (-2, -1, 0, 1, 2)]
    which = _shift(found.groupdict().get("which") or "this")
    if which < 0:
        return [one for one in near if one.end <= frame.now][-1]
    return next(one for one in near if (one.start > frame.now if which else one.end > frame.now))


@_rule(rf"(?:the )?(?P<which>{_THIS}|{_NEXT}|{_LAST}) seasons?", closed=True, long=True)
def _season_beside(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    year, month = frame.today.year, frame.today.month
    first = stretch.month(year, month - month % 3 + 3 * _shift(found["which"])).first
    return between(first, stretch.month(first.year, first.month + 2).end.date())


@_rule(
    r"right now|just now|now(?! (?:where|what|which|who|how|is|are|then|and|that|can|i|tell|show|find)\b)|currently|at the moment|at this (?:time|moment|hour)|as soon as possible|asap|straight away"
)
def _now(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return Stretch(frame.now, frame.now + timedelta(minutes=1), "minute")


@_rule(r"soon|(?:in|over) the (?:near future|coming days|next days)|these days", closed=True, long=True)
def _soon(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return Stretch(frame.now, days(frame.today, 8).end)
