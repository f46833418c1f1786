"""The festival tools: F1 find_festivals, F2 festival_details, F3 festival_programme, F4 events_when, F5 events_near, F6 event_details.

Their connection cannot read a place table (A-19). What has ended is told by the details alone, what is cancelled or postponed by these and a programme.
"""

from collections.abc import Sequence
from dataclasses import replace

from agent.tools.festivals.rows import MORE_DATES, Date, event_dates, event_row, festival_row, say_date
from agent.tools.festivals.search import Found, Search, dates, festivals, off
from agent.tools.registry import Bench, Named, tool
from agent.types import Result, Tags, Window

_TITLE = "SELECT title FROM event WHERE id = ?"


@tool("F1", "festival")
def find_festivals(bench: Bench, keywords: Tags, when: Window | None = None, limit: int = 5) -> Result:
    """Festivals by words of their name, tags and time, soonest first."""
    if missing := _cannot(keywords):
        return Result(bench.question, "find_festivals", failed=missing)
    found = festivals(bench, keywords, when, min(limit, bench.budget.rows))
    rows = tuple(festival_row(bench, number, one, keywords, when) for number, one in enumerate(found.ids, start=1))
    notes = () if rows else off(bench, keywords)
    return Result(bench.question, "find_festivals", rows, found.total, failed="" if notes else _unmet(keywords, found, "festival"), notes=notes)


@tool("F2", "festival")
def festival_details(bench: Bench, names: Named, when: Window | None = None) -> Result:
    """One named festival, or those that bear one name: what it marks, its dates, tickets, organiser."""
    rows = tuple(festival_row(bench, number, one, Tags(), when) for number, one in enumerate(names.ids[: bench.budget.rows], start=1))
    return Result(bench.question, "festival_details", rows, len(names.ids), failed=_unknown(names, "festival"))


@tool("F3", "festival")
def festival_programme(bench: Bench, names: Named, keywords: Tags, when: Window | None = None, limit: int = 5) -> Result:
    """Events of a named festival in the order of time, by tag, venue and time, cancelled and postponed ones with their state."""
    if not names.ids:
        return Result(bench.question, "festival_programme", failed=_unknown(names, "festival") or "no festival named")
    return _listed(bench, "festival_programme", keywords, Search(when, limit, names.ids, whatever_state=True))


@tool("F4", "festival")
def events_when(bench: Bench, keywords: Tags, when: Window | None = None, limit: int = 5) -> Result:
    """What is on in a stretch of time, or from now on, in the order of time."""
    return _listed(bench, "events_when", keywords, Search(when, limit))


@tool("F5", "festival")
def events_near(bench: Bench, keywords: Tags, when: Window | None = None, limit: int = 5) -> Result:
    """What is on by distance from where the question looks from, nearest first, or inside its area by time."""
    return _listed(bench, "events_near", keywords, Search(when, limit, nearest=True))


@tool("F6", "festival")
def event_details(bench: Bench, names: Named, when: Window | None = None) -> Result:
    """One named event, or those that bear one name: its next date or the one asked for, how it repeats, price, age, access, state."""
    told = [(event, event_dates(bench, event)) for event in names.ids[: bench.budget.rows]]
    shown = [(event, _shown(known, bench, when), known) for event, known in told if known]
    rows = tuple(event_row(bench, number, one.id, Tags(), _other_dates(bench, one, known)) for number, (_, one, known) in enumerate(shown, start=1))
    notes = tuple(f"{row.name} is not on {when.words}".strip() for row, (_, one, _) in zip(rows, shown, strict=True) if when and not one.within(when))
    undated = [_title(bench, event) for event, known in told if not known]
    failed = _unknown(names, "event") or ("" if rows or not undated else f"no date of {undated[0]}")
    return Result(bench.question, "event_details", rows, len(names.ids), failed=failed, notes=notes)


def _listed(bench: Bench, name: str, keywords: Tags, search: Search) -> Result:
    """Dates as rows. An area of which only the middle is known and that has none: those around its middle, said so."""
    if missing := _cannot(keywords):
        return Result(bench.question, name, failed=missing)
    search = replace(search, limit=min(search.limit, bench.budget.rows))
    found = dates(bench, keywords, search)
    notes: tuple[str, ...] = ()
    if not found.ids and bench.anchor.area is not None and not bench.anchor.sharp and bench.anchor.point:
        bench, notes = replace(bench, anchor=replace(bench.anchor, area=None)), (f"none in {bench.anchor.name} itself",)
        found = dates(bench, keywords, replace(search, nearest=True))
    rows = tuple(event_row(bench, number, one, keywords) for number, one in enumerate(found.ids, start=1))
    notes = notes if rows else _off_dates(bench, keywords, search)
    return Result(bench.question, name, rows, found.total, failed="" if notes else _unmet(keywords, found, "event"), notes=notes)


def _off_dates(bench: Bench, keywords: Tags, search: Search) -> tuple[str, ...]:
    """Where nothing takes place: what was to, in words: "Quiz Night, Tue 8 Dec 2026, 8:00 pm, is cancelled"."""
    if search.whatever_state or not (keywords.groups or keywords.unmet):
        return ()
    found = dates(bench, keywords, replace(search, whatever_state=True, limit=3))
    rows = [event_row(bench, number, one, keywords) for number, one in enumerate(found.ids, start=1)]
    return tuple(f"{row.name}, {row.when['absolute']}, is {row.status}" for row in rows if row.when and row.status != "scheduled")


def _shown(known: Sequence[Date], bench: Bench, when: Window | None) -> Date:
    """The date to tell of: in the window the first, one that takes place before one that does not; else the next one, else the last."""
    within = [date for date in known if when and date.within(when)]
    ahead = [date for date in known if not date.over(bench.now)]
    choice = within or ahead
    return next((date for date in choice if date.state == "scheduled"), choice[0] if choice else known[-1])


def _other_dates(bench: Bench, shown: Date, known: Sequence[Date]) -> dict[str, str]:
    """The next dates after the one that is told of, and those among them and before it that do not take place."""
    ahead = [date for date in known if not date.over(bench.now) and date != shown]
    later = [date for date in ahead if date.starts > shown.starts and date.state == "scheduled"][:MORE_DATES]
    dropped = [date for date in ahead if date.starts < [shown, *later][-1].starts and date.state != "scheduled"][:MORE_DATES]
    return {
        "next_dates": "; ".join(say_date(bench, date.starts) for date in later),
        "off": "; ".join(f"{say_date(bench, date.starts)} {date.state}" for date in dropped),
    }


def _title(bench: Bench, event: int) -> str:
    row = bench.snapshot.festivals.one(_TITLE, (event,))
    return str(row["title"]) if row else ""


def _unknown(names: Named, what: str) -> str:
    return f"no {what} called {' or '.join(names.unknown)}" if names.unknown and not names.ids else ""


def _cannot(keywords: Tags) -> str:
    """Of a price Small knows of an event only whether it is free."""
    return f"no {keywords.prices[0]} event" if keywords.prices and "free" not in keywords.prices else ""


def _unmet(keywords: Tags, found: Found, what: str) -> str:
    """A phrase that is no tag may be words of a title; where no row has them, they are what is not known."""
    return f"no {' '.join((*keywords.unmet, *keywords.names)) or what}" if keywords.unmet and not found.ids else ""
