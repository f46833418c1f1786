"""A day's hours, and how several readings of them are put together. A day is its intervals in order, from minute 0 to 1440."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import pairwise

from agent.snapshot.schema import Interval

MINUTES = 1440
NOON = 720
Day = tuple[Interval, ...]
UNKNOWN: Day = (Interval(0, MINUTES, "unknown"),)
CLOSED: Day = (Interval(0, 0, "closed"),)


def cut(opens: datetime, closes: datetime, start: datetime, state: str) -> Iterable[tuple[int, Interval]]:
    """Cut a span at midnights: (days from the midnight `start`, interval of that day)."""
    left = int((opens - start).total_seconds()) // 60
    right = int((closes - start).total_seconds()) // 60
    while left < right:
        index = left // MINUTES
        until = min(right, (index + 1) * MINUTES)
        yield index, Interval(left - index * MINUTES, until - index * MINUTES, state)
        left = until


@lru_cache(maxsize=4096)
def agreed(*readings: Day) -> Day:
    """What all readings of a day say, and unknown where they differ."""

    def state(minute: int) -> str:
        states = {_state(day, minute) for day in readings}
        return states.pop() if len(states) == 1 else "unknown"

    return _built(readings, (), state)


def changing_at(minute: int, before: Day, after: Day) -> Day:
    """`before` up to a minute and `after` from it on."""
    return _built((before, after), (minute,), lambda at: _state(before if at < minute else after, at))


@lru_cache(maxsize=4096)
def never_closed(day: Day, start: int = 0, end: int = MINUTES) -> Day:
    """The day, with what is closed from `start` to `end` made unknown."""

    def state(minute: int) -> str:
        found = _state(day, minute)
        return "unknown" if found == "closed" and start <= minute < end else found

    return _built((day,), (start, end), state)


def with_open_ends(days: Sequence[Day]) -> list[Day]:
    """From its first opening on a day is not known to be closed, and the next day not before noon or its own opening."""
    found = [never_closed(day, day[0].opens) if day else day for day in days]
    for index, (eve, day) in enumerate(pairwise(days), start=1):
        if eve:
            found[index] = never_closed(found[index], 0, min(day[0].opens if day else MINUTES, NOON))
    return found


def with_nights(days: Sequence[Day], latest: int) -> list[Day]:
    """Where a day ends open and the next begins closed, the span may go on (to the minute `latest` at most) or end at midnight: unknown."""
    found = list(days)
    for index, (eve, day) in enumerate(pairwise(days), start=1):
        if eve and eve[-1].closes == MINUTES and not (day and day[0].opens == 0):
            found[index] = never_closed(day, 0, latest)
    return found


def joined(day: Iterable[Interval]) -> Day:
    """Intervals in order, those that touch and say the same made one."""
    found: list[Interval] = []
    for one in day:
        if found and found[-1].closes == one.opens and found[-1].state == one.state:
            found[-1] = Interval(found[-1].opens, one.closes, one.state)
        else:
            found.append(one)
    return tuple(found)


def _state(day: Day, minute: int) -> str:
    return next((one.state for one in day if one.opens <= minute < one.closes), "closed")


def _built(days: Sequence[Day], cuts: Sequence[int], state: Callable[[int], str]) -> Day:
    """A day whose state at each minute is `state`, which changes at the edges of `days` and at `cuts` alone."""
    edges = sorted({0, MINUTES, *cuts, *(edge for day in days for one in day for edge in (one.opens, one.closes))})
    pieces = (Interval(left, right, state(left)) for left, right in pairwise(edges))
    return joined(piece for piece in pieces if piece.state != "closed")
