"""A repeat rule (RFC 5545) in plain words, for the rules that people have words for."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from icalendar import vRecur

_DAYS = {"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday", "SU": "Sunday"}
_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last", -2: "second last"}
_READ = {"FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "COUNT", "UNTIL", "WKST"}


def say_repeats(rrule: str, starts: Sequence[datetime]) -> str:
    """ "every Tuesday", "first Sunday of the month"; empty for a rule that these words would not fit.

    `starts` are some local dates of the event, one at least. Most of them must fall on the day that is said: one may be moved.
    """
    try:
        rule: dict[str, list[Any]] = dict(vRecur.from_ical(rrule.strip().removeprefix("RRULE:")))
    except ValueError:
        return ""
    if "FREQ" not in rule or set(rule) - _READ or "\n" in rrule.strip():
        return ""
    words = _SAYERS.get(rule["FREQ"][0], _nothing)(rule, starts)
    return f"{words}{_end(rule, starts[0])}" if words else ""


def _nothing(_rule: dict[str, list[Any]], _starts: Sequence[datetime]) -> str:
    return ""


def _daily(rule: dict[str, list[Any]], _starts: Sequence[datetime]) -> str:
    if _has(rule, "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS"):
        return ""
    return _every(rule, "day")


def _weekly(rule: dict[str, list[Any]], starts: Sequence[datetime]) -> str:
    usual = list(_DAYS)[_most(start.weekday() for start in starts)]
    days = [str(day) for day in rule.get("BYDAY", [usual])]
    if _has(rule, "BYMONTHDAY", "BYMONTH", "BYSETPOS") or not set(days) <= set(_DAYS) or usual not in days:
        return ""
    if set(days) == {"MO", "TU", "WE", "TH", "FR"}:
        return _every(rule, "weekday") if _interval(rule) == 1 else ""
    return _every(rule, _listed([_DAYS[day] for day in _DAYS if day in days]))


def _monthly(rule: dict[str, list[Any]], starts: Sequence[datetime]) -> str:
    usual = _most(start.day for start in starts)
    weekday = list(_DAYS)[_most(start.weekday() for start in starts)]
    if _has(rule, "BYMONTH") or rule.get("BYMONTHDAY", [usual])[0] != usual or str(rule.get("BYDAY", [weekday])[0])[-2:] != weekday:
        return ""
    month = {1: "the month", 2: "every second month", 3: "every third month"}.get(_interval(rule))
    which = _which_day(rule) if _has(rule, "BYDAY", "BYMONTHDAY", "BYSETPOS") else _nth(usual) if usual <= 28 else ""
    return f"{which} of {month}" if which and month else ""


def _yearly(rule: dict[str, list[Any]], _starts: Sequence[datetime]) -> str:
    once = not _has(rule, "BYDAY", "BYMONTHDAY", "BYSETPOS") or (bool(_which_day(rule)) and _has(rule, "BYMONTH"))
    return _every(rule, "year") if once and len(rule.get("BYMONTH", [1])) == 1 else ""


_SAYERS = {"DAILY": _daily, "WEEKLY": _weekly, "MONTHLY": _monthly, "YEARLY": _yearly}


def _which_day(rule: dict[str, list[Any]]) -> str:
    """The one day of a month that a rule names: "first Sunday", "the 15th"; empty where it names several, or none."""
    days, dates, places = rule.get("BYDAY", []), rule.get("BYMONTHDAY", []), rule.get("BYSETPOS", [])
    if len(dates) == 1 and not days and not places and 1 <= dates[0] <= 28:
        return _nth(dates[0])
    if len(days) != 1 or dates or len(places) > 1:
        return ""
    ordinal, day = str(days[0])[:-2], str(days[0])[-2:]
    if bool(ordinal) == bool(places):
        return ""
    number = _ORDINALS.get(int(ordinal or places[0]))
    return f"{number} {_DAYS[day]}" if number else ""


def _most(numbers: Iterable[int]) -> int:
    return Counter(numbers).most_common(1)[0][0]


def _nth(day: int) -> str:
    ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"the {day}{ending}"


def _has(rule: dict[str, list[Any]], *parts: str) -> bool:
    return any(part in rule for part in parts)


def _interval(rule: dict[str, list[Any]]) -> int:
    return int(rule.get("INTERVAL", [1])[0])


def _every(rule: dict[str, list[Any]], what: str) -> str:
    number = {1: "every", 2: "every second", 3: "every third", 4: "every fourth"}.get(_interval(rule))
    return f"{number} {what}" if number and not (" " in what and number != "every") else ""


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _end(rule: dict[str, list[Any]], start: datetime) -> str:
    """How long it goes on, where the rule says so."""
    if "COUNT" in rule:
        return f", {rule['COUNT'][0]} times in all"
    until = rule.get("UNTIL", [None])[0]
    if until is None:
        return ""
    last = until.astimezone(start.tzinfo) if isinstance(until, datetime) and until.tzinfo else until
    return f" until {last.day} {last:%b} {last.year}"
