"""The dates of an event that differ from its rule, gathered from what a calendar says of them one by one."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar

from festivals.importers.rows import LONGEST, check_times
from festivals.models import ExceptionKind, State
from festivals.recurrence import Exceptional, Planned, RuleRefused, rule_zone, starts_by_rule
from places.importers.rows import BadRow

YEARS_AHEAD = 5  # how far a change of "this and all later dates" is worked out, from the year in which it begins or the present one
_KINDS = {State.CANCELLED.value: ExceptionKind.CANCELLED.value, State.POSTPONED.value: ExceptionKind.POSTPONED.value}


@dataclass(frozen=True, slots=True)
class Change:
    """A date that was changed: which it was by the rule, and what it is now. `onward`: all later ones change alike."""

    original: date | datetime
    times: Planned
    title: str = ""
    venue: str = ""
    state: str = State.SCHEDULED.value
    onward: bool = False


class Changes:
    """Gathers the exceptions of one event. `starts` is its start as the file has it: a day, or a time in the zone of its rule."""

    def __init__(self, plan: Planned, starts: Any, town: ZoneInfo, title: str, venue: str, now: datetime) -> None:
        self._plan = plan
        self._town = town
        self._now = now
        self._zone = rule_zone(plan, town) if plan.zone else getattr(starts, "tzinfo", None) or town
        self._title = title
        self._venue = venue
        self._removed: set[datetime] = set()
        self._added: dict[datetime, datetime | None] = {}
        self._changed: dict[datetime, Change] = {}

    def take_away(self, dates: list[Any]) -> None:
        """Dates that the rule gives and that are not held (EXDATE). A bare day takes all that begin on it."""
        for value in dates:
            self._removed |= set(self._on_day(value)) if self._is_bare_day(value) else {self._at(value)}

    def add(self, dates: list[Any]) -> None:
        """Dates beside the rule (RDATE), or periods of a start and an end or a length."""
        found: dict[datetime, datetime | None] = {}
        for value in dates:
            first, last = value if isinstance(value, tuple) else (value, None)
            start = self._at(first)
            found[start] = start + last if isinstance(last, timedelta) else last and self._at(last)
            check_times(start, found[start])
        known = self._removed | set(self._by_rule(min(found), max(found)) if found else [])
        self._added = {start: end for start, end in found.items() if start not in known}

    def change(self, change: Change) -> None:
        """A changed date; the first that is given for a date holds."""
        found = self._on_day(change.original)[:1] if self._is_bare_day(change.original) else []
        original = found[0] if found else self._at(change.original)
        if original not in self._removed:
            self._changed.setdefault(original, change)

    def settled(self, notes: list[str]) -> tuple[Planned, list[Exceptional]]:
        """The event's times and rule, and all its exceptions in order."""
        plan = self._carry_on(notes)
        found = [Exceptional(ExceptionKind.REMOVED.value, original) for original in self._removed]
        found += [self._exception(original, change) for original, change in self._changed.items()]
        found += [Exceptional(ExceptionKind.ADDED.value, None, start, end) for start, end in self._added.items() if start not in self._changed]
        return plan, sorted(found, key=lambda one: (one.original or one.starts, one.kind))

    def _carry_on(self, notes: list[str]) -> Planned:
        """Give all later dates the changes that reach onward (RANGE=THISANDFUTURE), and end a rule that has no end."""
        onward = sorted((original, change) for original, change in self._changed.items() if change.onward) if self._reaches_on() else []
        if not onward:
            return self._plan
        horizon = datetime(max(onward[0][0].year, self._now.year) + YEARS_AHEAD, 12, 31, tzinfo=UTC)
        later = {*self._by_rule(onward[0][0], horizon), *(start for start in self._added if start >= onward[0][0])}
        for start in sorted(later - self._removed - set(self._changed)):
            original, change = [one for one in onward if one[0] <= start][-1]
            self._changed[start] = replace(change, times=self._moved(change.times, self._wall(start) - self._wall(original)))
        return self._ended(horizon, notes)

    def _reaches_on(self) -> bool:
        return any(change.onward for change in self._changed.values())

    def _moved(self, times: Planned, by: timedelta) -> Planned:
        starts = (times.starts.astimezone(self._zone) + by).astimezone(UTC)
        return replace(times, starts=starts, ends=times.ends and starts + (times.ends.astimezone(UTC) - times.starts.astimezone(UTC)))

    def _wall(self, moment: datetime) -> datetime:
        return moment.astimezone(self._zone).replace(tzinfo=None)

    def _ended(self, horizon: datetime, notes: list[str]) -> Planned:
        """The rule, ended at the horizon if it goes on behind it: there its own times would be wrong."""
        if not self._by_rule(horizon, horizon + timedelta(days=3660)):
            return self._plan
        notes.append(f"a change of all later dates was worked out up to {horizon:%d %B %Y}, where the rule now ends; import it again before then")
        lines = [icalendar.vRecur.from_ical(line) for line in self._plan.rrule.split("\n")]
        until = horizon.date() if self._plan.all_day else horizon
        ended = [icalendar.vRecur({key: value for key, value in line.items() if key != "COUNT"} | {"UNTIL": [until]}) for line in lines]
        return replace(self._plan, rrule="\n".join(line.to_ical().decode() for line in ended))

    def _exception(self, original: datetime, change: Change) -> Exceptional:
        note = change.title if change.title not in {"", self._title} else ""
        if self._plan.all_day and not change.times.all_day:
            note = f"{note} from {change.times.starts:%H:%M} to {change.times.ends:%H:%M}".strip()
        venue = change.venue if change.venue != self._venue else ""
        if change.state in _KINDS:
            return Exceptional(_KINDS[change.state], original, venue=venue, note=note[: LONGEST["note"]])
        return Exceptional(ExceptionKind.MOVED.value, original, change.times.starts, change.times.ends, venue, note[: LONGEST["note"]])

    def _is_bare_day(self, value: Any) -> bool:
        return not self._plan.all_day and not isinstance(value, datetime)

    def _at(self, value: Any) -> datetime:
        """The instant of a date: the midnight of an all-day event's day; a time without a zone is in the event's own."""
        if self._plan.all_day or not isinstance(value, datetime):
            day = value.date() if isinstance(value, datetime) else value
            return datetime.combine(day, time(0), tzinfo=self._town if self._plan.all_day else self._zone).astimezone(UTC)
        return (value if value.tzinfo else value.replace(tzinfo=self._zone)).astimezone(UTC)

    def _on_day(self, day: date) -> list[datetime]:
        first = datetime.combine(day, time(0), tzinfo=self._zone)
        return self._by_rule(first, first + timedelta(days=1, microseconds=-1))

    def _by_rule(self, first: datetime, last: datetime) -> list[datetime]:
        try:
            return [start.astimezone(UTC) for start in starts_by_rule(self._plan, self._town, first, last)]
        except RuleRefused as error:
            raise BadRow(str(error)) from error
