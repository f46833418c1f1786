"""Months, and days of a month, in words and in figures."""

from datetime import date

from agent.times import stretch
from agent.times.days.table import ORD, SHORT, WD, YEAR, D, M, Match, Table
from agent.times.stretch import Frame, Stretch, between, days
from agent.times.words import MONTHS, WEEKDAYS

RULES = Table()


def _month(found: Match) -> int:
    said = found["month"]
    return MONTHS.index(SHORT.get(said, said)) + 1


def _month_ahead(frame: Frame, number: int) -> Stretch:
    this = stretch.month(frame.today.year, number)
    return this if this.end > frame.now else stretch.month(frame.today.year + 1, number)


@RULES.rule(rf"(?:in |during |of |for |this |throughout ){M}(?:(?:,? of|,? in)? (?P<year>(?:19|20)\d\d))?", rolls=True, long=True)
@RULES.rule(rf"{M}(?:,? of|,? in)? (?P<year>(?:19|20)\d\d)", long=True)
@RULES.rule(r"(?P<month>january|february|july|september|october|november|december)", closed=True, rolls=True, long=True)
@RULES.rule(r"(?P<month>march|april|may|june|august|jan|mar|jun)", weak=True, rolls=True, long=True)
def _month_named(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    said = found.groupdict().get("year")
    return stretch.month(int(said), _month(found)) if said else _month_ahead(frame, _month(found))


@RULES.rule(rf"(?P<which>next|last) {M}", long=True)
def _month_beside(found: Match, frame: Frame, _whole: Stretch) -> Stretch:
    number, today = _month(found), frame.today
    if found["which"] == "next":
        return stretch.month(today.year + (number <= today.month), number)
    return stretch.month(today.year - (number >= today.month), number)


@RULES.rule(rf"(?:the )?{M} after next", long=True)
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


_ON = rf"(?:(?:on|for|in) )?(?:(?:{WD}|mon|wed|sat|sun),? )?"
_NOT_VERB = r"(?! (?:be|i|we|you|have|come|need|want|not)\b)"


@RULES.rule(rf"{_ON}(?:the )?{D}{ORD}?(?: day)?(?: of)? {M}{_NOT_VERB}{YEAR}", rolls=True)
@RULES.rule(rf"{_ON}(?:the )?{D}{ORD}?(?: of)? (?P<month>jan|mar|jun)\b{YEAR}", rolls=True)
@RULES.rule(rf"{_ON}{M} (?:the )?{D}(?:{ORD}|(?![:\d]| ?[ap]m)){YEAR}", rolls=True)
@RULES.rule(rf"{_ON}(?P<month>jan|mar|jun) (?:the )?{D}(?:{ORD}|(?![:\d]| ?[ap]m)){YEAR}", rolls=True)
def _date(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    return _dated(frame, int(found["day"]), _month(found), found["year"])


@RULES.rule(rf"(?:on )?the {D}{ORD}", closed=True, rolls=True)
@RULES.rule(rf"on {D}{ORD}", closed=True, rolls=True)
@RULES.rule(rf"{D}{ORD}", weak=True, rolls=True)
def _day_of_month(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    today = frame.today
    ahead = (stretch.month(today.year, today.month + further).first for further in range(3))
    return next((one for first in ahead if (one := _day(first.year, first.month, int(found["day"]))) and one.end > frame.now), None)


@RULES.rule(rf"(?:on )?(?:the )?{D}{ORD}(?: day)? (?:of|in)", goes_on=True)
def _day_of_that_month(found: Match, _frame: Frame, whole: Stretch) -> Stretch | None:
    return _day(whole.first.year, whole.first.month, int(found["day"])) if whole.grain == "month" else None


@RULES.rule(rf"(?:on )?(?:{WD}|(?P<short>mon|wed|sat|sun)),? (?:the )?{D}{ORD}")
def _weekday_and_day(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    """ "Tuesday the 19th": the next month in which that is so."""
    weekday = WEEKDAYS.index(SHORT.get(found["short"] or "", found["weekday"]))
    ahead = (stretch.month(frame.today.year, frame.today.month + further).first for further in range(40))
    fit = (one for first in ahead if (one := _day(first.year, first.month, int(found["day"]))) and one.end > frame.now)
    return next((one for one in fit if one.first.weekday() == weekday), None)


@RULES.rule(
    rf"(?:from |between )?(?:the )?{D}{ORD}?(?: of)?(?: {M})? (?:to|-|until|and|through) (?:the )?(?P<to>\d\d?){ORD}?(?: of)? (?P<month2>{'|'.join(MONTHS)}){YEAR}"
)
def _days_of_month(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    second = MONTHS.index(found["month2"]) + 1
    last = _dated(frame, int(found["to"]), second, found["year"])
    first = last and _day(last.first.year, _month(found) if found["month"] else second, int(found["day"]))
    return between(first.first, last.end.date()) if first and last and first.first <= last.first else None


@RULES.rule(rf"(?:from |between )?{M} (?:the )?{D}{ORD}? (?:to|-|until|and|through) (?:the )?(?P<to>\d\d?)(?:{ORD}|(?![:\d])){YEAR}")
def _month_days(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    last = _dated(frame, int(found["to"]), _month(found), found["year"])
    first = last and _day(last.first.year, last.first.month, int(found["day"]))
    return between(first.first, last.end.date()) if first and last and first.first <= last.first else None


@RULES.rule(r"(?:on )?(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)")
@RULES.rule(r"(?P<year>(?:19|20)\d\d) (?P<month>[01]?\d) (?P<day>\d\d?)", weak=True)
def _iso(found: Match, _frame: Frame, _whole: Stretch) -> Stretch | None:
    return _day(int(found["year"]), int(found["month"]), int(found["day"]))


@RULES.rule(r"(?P<year>(?:19|20)\d\d)-(?P<month>0?[1-9]|1[0-2])", long=True)
@RULES.rule(r"(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19|20)\d\d)", long=True)
def _month_in_figures(found: Match, _frame: Frame, _whole: Stretch) -> Stretch:
    return stretch.month(int(found["year"]), int(found["month"]))


@RULES.rule(rf"{_ON}(?P<a>\d\d?)[-/.](?P<b>\d\d?)[-/.](?P<year>\d{{4}}|\d\d)")
@RULES.rule(r"(?P<a>\d\d?) (?P<b>\d\d?) (?P<year>(?:19|20)\d\d)", weak=True)
@RULES.rule(rf"(?:on|{WD}) (?!24/7)(?P<a>\d\d?)/(?P<b>\d\d?)(?P<year>)")
@RULES.rule(r"(?!24/7)(?P<a>1[3-9]|2\d|3[01])/(?P<b>0?[1-9]|1[0-2])(?P<year>)", closed=True)
@RULES.rule(r"(?P<a>0?[1-9]|1[0-2])/(?P<b>1[3-9]|2\d|3[01])(?P<year>)", closed=True)
@RULES.rule(r"(?!24/7)(?P<a>\d\d?)(?:/| [-/] )(?P<b>\d\d?)(?P<year>)", weak=True)
def _figures(found: Match, frame: Frame, _whole: Stretch) -> Stretch | None:
    """A day and a month in figures: British order, in the United States theirs, and the other way round where only that makes a date."""
    pair = int(found["a"]), int(found["b"])
    orders = (pair, pair[::-1]) if frame.town.country != "US" else (pair[::-1], pair)
    return next((one for day, month in orders if month <= 12 and (one := _dated(frame, day, month, found["year"]))), None)


@RULES.rule(r"(?:in |during |of )(?P<year>(?:19|20)\d\d)", closed=True, long=True)
@RULES.rule(r"(?P<year>(?:19|20)\d\d)", weak=True, long=True)
def _year(found: Match, _frame: Frame, _whole: Stretch) -> Stretch:
    return stretch.year(int(found["year"]))
