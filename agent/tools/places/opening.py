"""Whether places are open: one with the words for it, many with the state alone."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from json import dumps
from math import ceil

from agent.snapshot.reader import SqlRow
from agent.snapshot.schema import Hours, Interval
from agent.tools.hours import DAY, WEEK, during, opening, state_of
from agent.tools.registry import Bench
from agent.types import Opening, OpenState, Window

_KNOWN = "SELECT hours_known FROM place WHERE id = ?"
_WEEK = "SELECT opens, closes, state FROM hours WHERE place = ? ORDER BY opens"
_DAYS = "SELECT day, opens, closes, state FROM hours_day WHERE place = ? AND day BETWEEN ? AND ? ORDER BY day, opens"
_ALL_KNOWN = "SELECT p.id FROM json_each(:places) AS one CROSS JOIN place AS p ON p.id = one.value WHERE p.hours_known"
# Of a week only what touches the stretch from :first to :last, in minutes from the Monday before it; also as the week before or after has it.
_ALL_WEEKS = """
SELECT h.place, h.opens, h.closes, h.state FROM json_each(:places) AS one CROSS JOIN hours AS h ON h.place = one.value
WHERE (h.opens < :last AND h.closes > :first) OR h.closes > :first + :week OR h.opens < :last - :week"""
_ALL_DAYS = """
SELECT d.place, d.day, d.opens, d.closes, d.state FROM json_each(:places) AS one
CROSS JOIN hours_day AS d ON d.place = one.value AND d.day BETWEEN :day - 1 AND :day + 9"""


def opening_of(bench: Bench, place: int, when: Window | None) -> Opening:
    """A place's hours now, at the instant asked, or within the stretch asked, from its week and the days around it."""
    moment = _moment(bench, when)
    belt, day = bench.snapshot.places, moment.toordinal()
    known = belt.one(_KNOWN, (place,))
    week = tuple(Interval(*row) for row in belt.rows(_WEEK, (place,)))
    hours = Hours(week, _by_day(belt.rows(_DAYS, (place, day - 1, day + 9))), bool(known and known[0]))
    return opening(hours, moment, _horizon(bench)) if when is None or when.instant else during(hours, moment, when.end, _horizon(bench))


def states_of(bench: Bench, places: Sequence[int], when: Window) -> list[OpenState]:
    """The states of many places at the instant asked, or within the stretch asked; the same as `opening_of` says of each."""
    belt, moment, horizon = bench.snapshot.places, _moment(bench, when), _horizon(bench)
    first = moment.weekday() * DAY + moment.hour * 60 + moment.minute
    last = first + max(1, ceil((when.end - moment).total_seconds() / 60) + 60)  # an hour more, for the clocks that go back
    asked = {"places": dumps(list(places)), "day": moment.toordinal(), "first": first, "last": last, "week": WEEK}
    known = {row[0] for row in belt.rows(_ALL_KNOWN, asked)}
    weeks, days = defaultdict(list), defaultdict(list)
    for place, *interval in belt.rows(_ALL_WEEKS, asked):
        weeks[place].append(Interval(*interval))
    for row in belt.rows(_ALL_DAYS, asked):
        days[row["place"]].append(row)
    found: list[OpenState] = []
    for place in places:
        hours = Hours(tuple(weeks[place]), _by_day(days[place]), place in known)
        found.append(state_of(hours, moment, horizon) if when.instant else during(hours, moment, when.end, horizon).state)
    return found


def _moment(bench: Bench, when: Window | None) -> datetime:
    """From when on hours are asked: now, or when the stretch begins that is still to come or long over."""
    if when is None:
        return bench.now
    return max(when.start, bench.now) if when.end > bench.now else when.start


def _horizon(bench: Bench) -> range:
    """The ordinals of the dates that the snapshot's hours were expanded for."""
    first = bench.snapshot.manifest.hours_first.toordinal()
    return range(first, first + bench.snapshot.manifest.hours_days)


def _by_day(rows: Iterable[SqlRow]) -> dict[int, tuple[Interval, ...]]:
    days: dict[int, tuple[Interval, ...]] = {}
    for row in rows:
        days[row["day"]] = (*days.get(row["day"], ()), Interval(row["opens"], row["closes"], row["state"]))
    return days
