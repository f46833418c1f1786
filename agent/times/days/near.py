"""Days, weeks, months and years beside today."""

from datetime import date

from agent.times import stretch
from agent.times.days.table import UNIT, WD, WHICH, Match, Table, shift, weekday_of
from agent.times.feasts import public_holidays
from agent.times.stretch import DAY, Frame, Stretch, days, length, monday, week, weekend
from agent.times.words import WEEKDAYS

RULES = Table()

# Days beside today


@RULES.rule(r"today|this day")
def _today(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(frame.today)


@RULES.rule(r"(?:the )?day after tomorrow|overmorrow")
def _overmorrow(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(frame.today + 2 * DAY)


@RULES.rule(r"tomorrow")
def _tomorrow(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(frame.today + DAY)


@RULES.rule(r"(?P<before>(?:the )?day before )?yesterday")
def _yesterday(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(frame.today - (2 if found["before"] else 1) * DAY)


# Weekdays


def _coming(frame: Frame, weekday: int) -> date:
    return frame.today + DAY * ((weekday - frame.today.weekday()) % 7)


@RULES.rule(rf"{WD}(?! (?:roast|best|school|papers|street|lane|road|club|people))")
@RULES.rule(rf"(?:on|this|coming|this coming|upcoming|every|each) {WD}s?")
@RULES.rule(r"(?:on|this|coming|this coming|every|each) (?P<weekday>mon|wed|sat|sun)", closed=True)
@RULES.rule(r"(?P<weekday>mon|wed|sat|sun)", weak=True)
def _next_weekday(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(_coming(frame, weekday_of(found)))


@RULES.rule(rf"(?:on )?{WD} week")
def _weekday_week(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(_coming(frame, weekday_of(found)) + 7 * DAY)


@RULES.rule(rf"(?:the )?{WD} after next")
def _weekday_after_next(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(_coming(frame.at(frame.now + DAY), weekday_of(found)) + 7 * DAY)


@RULES.rule(rf"(?:on )?(?P<which>next|following|last|past|previous) (?P<weekday>{'|'.join(WEEKDAYS)}|mon|wed|sat|sun)")
def _weekday_beside(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    weekday = weekday_of(found)
    if found["which"] in ("next", "following"):
        return days(monday(frame.today) + DAY * (7 + weekday))
    return days(_coming(frame, weekday) - 7 * DAY)


@RULES.rule(rf"(?P<number>\d{{1,2}}) {WD}s? (?P<way>from now|from today|hence|ago|back)")
def _weekdays_away(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    number, weekday = int(found["number"]), weekday_of(found)
    if found["way"] in ("ago", "back"):
        return days(_coming(frame, weekday) - 7 * DAY * number)
    return days(_coming(frame.at(frame.now + DAY), weekday) + 7 * DAY * (number - 1))


@RULES.rule(r"(?:(?:on|over|at|this|next|the) )*(?:bank|public) holiday(?P<kind> monday| weekend)?")
def _public_holiday(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    """The next public holiday; with "monday" one on a Monday, with "weekend" the days from the Saturday before that."""
    town, kind = frame.town, found["kind"]
    listed = (day for year in (frame.today.year, frame.today.year + 1) for day in public_holidays(town.country, town.subdivision, year))
    day = next((day for day in listed if day >= frame.today and (not kind or day.weekday() == 0)), None)
    if day is None:
        return None
    return days(day - 2 * DAY, 3) if kind == " weekend" else days(day)


# Weeks, weekends, months, years


@RULES.rule(rf"(?:around )?(?:the |this )?{WHICH} {UNIT}", long=True)
def _unit_beside(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _unit(frame, found["unit"], shift(found["which"]))


@RULES.rule(r"(?:the )?(?P<unit>week|month|year)", weak=True, long=True)
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
    return length(frame, 1 if shift >= 0 else -1, unit)


@RULES.rule(r"all (?P<unit>week|month|year)", long=True)
def _all_of(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _unit(frame, found["unit"], 0)


@RULES.rule(r"(?:the )?(?P<unit>weekend|week|month|year) after next", long=True)
def _unit_after_next(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return weekend(frame.today + 14 * DAY) if found["unit"] == "weekend" else _unit(frame, found["unit"], 2)


@RULES.rule(r"(?:(?:at|on|over|for|in|this|coming) )+(?:the )?(?:weekend|week end)s?|all weekend")
@RULES.rule(r"(?:the )?(?:weekend|week end)s?", closed=True)
def _weekend(_found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return weekend(frame.today)


@RULES.rule(r"(?:(?:the|on|over|this) )*(?P<which>next|following|last|past|previous) (?:weekend|week end)")
def _weekend_beside(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return weekend(frame.today + 7 * DAY * shift(found["which"]))


@RULES.rule(r"(?:the )?rest of(?: the)?", goes_on=True)
@RULES.rule(r"later", goes_on=True)
def _rest(_found: Match, frame: Frame, whole: Stretch) -> Stretch:
    return Stretch(max(whole.start, frame.now) if frame.now < whole.end else whole.start, whole.end, whole.grain)


@RULES.rule(r"(?:the )?week of", goes_on=True)
def _week_of(_found: Match, _frame: Frame, whole: Stretch) -> Stretch:
    return week(whole.first)


@RULES.rule(rf"(?:on |the )?{WD}(?: of| in| from)?(?= (?:the )?(?:this|next|last|previous|following|coming|week) )", goes_on=True)
def _weekday_of_week(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    return days(whole.first + DAY * weekday_of(found)) if whole.grain == "week" else None


@RULES.rule(rf"(?P<which>this|next|last) week (?:on )?{WD}")
def _week_and_weekday(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    return days(week(frame.today + 7 * DAY * shift(found["which"])).first + DAY * weekday_of(found))
