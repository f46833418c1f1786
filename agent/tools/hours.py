"""Opening hours at an instant, from the snapshot's intervals, and the words for them (R-06).

Every time here is a wall-clock time of the town. In the hour that a clock change repeats, the same minutes hold twice; in the hour that it skips,
nothing is asked, and a change that would fall into it is named by its own wall-clock time.
"""

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from agent.snapshot.schema import Hours, Interval
from agent.types import Opening, OpenState

DAY = 1440
WEEK = 7 * DAY
AHEAD_DAYS = 8
NOT_CONFIRMED = Opening("unknown", "hours not confirmed")


def state_at(hours: Hours, local: datetime, horizon: range | None = None) -> tuple[OpenState, datetime | None]:
    """The state at `local` and the instant when it ends, or None where it lasts for more than 8 days or is not known at all.

    `local` is aware, in the town's zone. `horizon` is the ordinals of the dates that the hours were expanded for (the manifest's first day and
    number of days): outside it nothing is known. Without it the week is taken to go on for ever.
    """
    if not hours.known:
        return "unknown", None
    minute = local.hour * 60 + local.minute
    spans = _about(hours, local.toordinal(), horizon)
    state = _state(spans, minute)
    edges = sorted({edge for span in spans for edge in span[:2] if minute < edge <= minute + AHEAD_DAYS * DAY})
    until = next((edge for edge in edges if _state(spans, edge) != state), None)
    return state, None if until is None else _instant(local, until)


def state_of(hours: Hours, local: datetime, horizon: range | None = None) -> OpenState:
    """The state at `local` alone, for a search that has many places to look at; the arguments are those of `state_at`."""
    return _state(_about(hours, local.toordinal(), horizon, ahead=0), local.hour * 60 + local.minute) if hours.known else "unknown"


def opening(hours: Hours, local: datetime, horizon: range | None = None) -> Opening:
    """The state at `local` with its words; the arguments are those of `state_at`."""
    state, until = state_at(hours, local, horizon)
    if state == "unknown":
        return NOT_CONFIRMED
    after = "" if until is None else state_at(hours, until, horizon)[0]
    return Opening(state, _open(local, until, after) if state == "open" else _closed(local, until, after))


def during(hours: Hours, start: datetime, end: datetime, horizon: range | None = None) -> Opening:
    """Whether a place is open at some time between two instants of the town's zone, and from when to when it then is."""
    state, until = state_at(hours, start, horizon)
    at = start
    seen = {state}
    while state != "open" and until is not None and until < end:
        at = until
        state, until = state_at(hours, at, horizon)
        seen.add(state)
    if state == "open":
        closes = "" if until is None else f" to {_clock(until)}"
        return Opening("open", f"open {_day_and_clock(start, at)}{closes}" if at > start or closes else "open all day and night")
    return NOT_CONFIRMED if "unknown" in seen else Opening("closed", "closed then")


def _open(local: datetime, until: datetime | None, after: str) -> str:
    if until is None:
        return "open all day and night"
    soon = until - local < timedelta(1)
    if after == "unknown":
        return f"open, at least until {_clock(until)}" if soon else "open"
    return f"open, closes {_clock(until)}" if soon else f"open, closes {_day_and_clock(local, until)}"


def _closed(local: datetime, until: datetime | None, after: str) -> str:
    if until is None or after == "unknown":
        return "closed"
    return f"closed, opens {_day_and_clock(local, until)}"


def _clock(instant: datetime) -> str:
    return f"{instant.hour}:{instant.minute:02}"


def _day_and_clock(local: datetime, instant: datetime) -> str:
    """ "9:00" today, "9:00 tomorrow", "Mon 9:00" within the week, and with its date from the same weekday of the next week on."""
    days = instant.toordinal() - local.toordinal()
    if days < 2:
        return _clock(instant) + " tomorrow" * days
    weekday = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[instant.weekday()]
    month = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")[instant.month - 1]
    return f"{weekday} {_clock(instant)}" if days < 7 else f"{weekday} {instant.day} {month} {_clock(instant)}"


def _about(hours: Hours, today: int, horizon: range | None, ahead: int = AHEAD_DAYS) -> list[tuple[int, int, str]]:
    """The spans around a day, with what lies outside the horizon as unknown."""
    spans = list(_spans(hours, today, ahead))
    if horizon is not None:
        spans += [(-WEEK, (horizon.start - today) * DAY, "unknown"), ((horizon.stop - today) * DAY, WEEK + 2 * DAY, "unknown")]
    return spans


def _spans(hours: Hours, today: int, ahead: int) -> Iterator[tuple[int, int, str]]:
    """What begins from a week before today (an ordinal) to so many days after it, in minutes from the midnight of today."""
    usual: list[list[Interval]] = [[] for _ in range(7)]
    for one in hours.week:
        usual[one.opens // DAY].append(one)
    for day in range(today - 7, today + ahead + 1):
        dated = hours.days.get(day)
        weekday = (day - 1) % 7  # ordinal 1 is a Monday
        offset = (day - today) * DAY - (weekday * DAY if dated is None else 0)
        for one in usual[weekday] if dated is None else dated:
            yield offset + one.opens, offset + one.closes, one.state


def _state(spans: list[tuple[int, int, str]], minute: int) -> OpenState:
    """Unknown where any span that holds is unknown, so that nothing is open out of a not-known."""
    states = {state for opens, closes, state in spans if opens <= minute < closes}
    return "unknown" if "unknown" in states else "open" if "open" in states else "closed"


def _instant(local: datetime, minute: int) -> datetime:
    """A minute from the midnight of `local`, as an instant of the same zone and, in a repeated hour, of the same pass through it."""
    day = local.date() + timedelta(minute // DAY)
    return datetime.combine(day, time(minute % DAY // 60, minute % 60), tzinfo=local.tzinfo).replace(fold=local.fold)
