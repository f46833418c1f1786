"""Stretches of the town's wall clock, and the steps between days, weeks, months and years."""

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from agent.times.say import NIGHT_ENDS
from agent.types import Town, Window

Grain = Literal["minute", "hour", "day", "week", "month", "year"]
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `start` to `end` (exclusive) by the wall clock, without a zone. `grain` is the unit that the words speak in."""

    start: datetime
    end: datetime
    grain: Grain = "day"

    @property
    def first(self) -> date:
        return self.start.date()

    @property
    def last(self) -> date:
        return (self.end - timedelta(microseconds=1)).date()


@dataclass(frozen=True, slots=True)
class Frame:
    """Where words are read: the wall clock at that instant, and the town."""

    now: datetime
    town: Town

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def evening(self) -> date:
        """The day whose evening it is: after midnight and before 04:00 still the day before."""
        return (self.now - timedelta(hours=NIGHT_ENDS)).date()

    @property
    def south(self) -> bool:
        return self.town.centre.lat < 0

    def later(self, minutes: float) -> datetime:
        """The wall clock after some minutes that really pass, before where they are negative. Its fold tells the second of two equal hours."""
        then = self.now.replace(tzinfo=self.town.timezone).astimezone(UTC) + timedelta(minutes=minutes)
        return then.astimezone(self.town.timezone).replace(tzinfo=None)

    def at(self, now: datetime) -> "Frame":
        return replace(self, now=now)


def days(first: date, number: int = 1, grain: Grain = "day") -> Stretch:
    return between(first, first + DAY * number, grain)


def between(first: date, end: date, grain: Grain = "day") -> Stretch:
    """The days from `first` to `end` (exclusive)."""
    return Stretch(datetime.combine(first, time()), datetime.combine(end, time()), grain)


def monday(day: date) -> date:
    return day - DAY * day.weekday()


def week(day: date) -> Stretch:
    """The week from Monday to Sunday that a day is in."""
    return days(monday(day), 7, "week")


def month(year: int, number: int) -> Stretch:
    """A month; numbers below 1 and above 12 run into the years beside."""
    year, number = year + (number - 1) // 12, (number - 1) % 12 + 1
    return days(date(year, number, 1), monthrange(year, number)[1], "month")


def year(number: int) -> Stretch:
    return between(date(number, 1, 1), date(number + 1, 1, 1), "year")


def add(day: date, number: int, unit: str) -> date:
    """A day some days, weeks, fortnights, months or years on; a day that its month lacks becomes the month's last."""
    if unit in ("day", "week", "fortnight"):
        return day + DAY * number * {"day": 1, "week": 7, "fortnight": 14}[unit]
    there = month(day.year, day.month + number * (12 if unit == "year" else 1))
    return there.first.replace(day=min(day.day, there.last.day))


def weekend(day: date) -> Stretch:
    """From Friday, 17:00, to the end of Sunday."""
    whole = days(monday(day) + 4 * DAY, 3)
    return Stretch(whole.start + timedelta(hours=17), whole.end)


def length(frame: Frame, number: float, unit: str) -> Stretch | None:
    """From now on for some units, or back from now; whole days are filled up to midnight."""
    if unit in ("minute", "hour"):
        edge = frame.later(number * (60 if unit == "hour" else 1))
        return Stretch(min(frame.now, edge), max(frame.now, edge), "minute")
    edge_day = add(frame.today, int(number), unit)
    if number < 0:
        return Stretch(datetime.combine(edge_day, datetime.min.time()), frame.now)
    return Stretch(frame.now, datetime.combine(edge_day, datetime.min.time()) + (DAY if unit == "day" else 0 * DAY))


def window(stretch: Stretch, town: Town, words: str) -> Window:
    """The instants of a stretch in the town's zone. A wall-clock time that a change skips is the one an hour later; of one that
    comes twice a stretch starts with the first and ends with the second.
    """
    start = stretch.start.replace(tzinfo=town.timezone).astimezone(UTC)
    end = stretch.end.replace(tzinfo=town.timezone, fold=int(stretch.end - stretch.start > timedelta(minutes=1))).astimezone(UTC)
    return Window(start.astimezone(town.timezone), max(end, start + timedelta(minutes=1)).astimezone(town.timezone), words)
