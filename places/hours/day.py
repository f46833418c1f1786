"""A day's hours, and how several readings of them are put together. A day is its intervals in order, from minute 0 to 1440."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
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


def agreed(*readings: Day) -> Day:
    """What all readings of a day say, and unknown where they differ."""

    def state(minute: int) -> str:
        states = {_state(day, minute) for day in readings}
        return states.pop() if len(states) == 1 else "unknown"

    return _built(readings, (), state)


def changing_at(minute: int, before: Day, after: Day) -> Day:
    """`before` up to a minute and `after` from it on."""
    return _built((before, after), (minute,), lambda at: _state(before if at < minute else after, at))


def never_closed(day: Day, start: int = 0, end: int = MINUTES) -> Day:
    """The day, with what is closed from `start` to `end` made unknown."""

    def state(minute: int) -> str:
        found = _state(day, minute)
        return "unknown" if found == "closed" and start <= minute < end else found

    return _built((day,), (start, end), state)


def with_open_ends(days: Sequence[Day]) -> list[Day]:
    """From its first opening on a day is not known to be closed, and the next day not before noon or its own opening."""
    found = []
    eve_opens = True
    for day in days:
        opens = day[0].opens if day else MINUTES
        late = never_closed(day, opens) if day else day
        found.append(never_closed(late, 0, min(opens, NOON)) if eve_opens else late)
        eve_opens = bool(day)
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
