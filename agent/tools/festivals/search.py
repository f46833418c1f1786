"""Finding dates and festivals: which events a call means, then their occurrences in a stretch of time, in SQL that never changes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from itertools import zip_longest
from json import dumps
from math import cos, radians

from agent.geo import METRES_A_DEGREE
from agent.snapshot.match import match
from agent.snapshot.names import fold
from agent.snapshot.reader import Belt
from agent.tools.registry import Bench
from agent.types import Point, Tags, Window

WALK_M = 1_500.0  # as far as "near" reaches when time decides the order
AT_M = 30.0  # as far as a named place reaches when what is on at it is asked
ANYWHERE_M = 60_000.0  # as far as "nearest first" looks
ONE_DAY = timedelta(hours=28)  # from midnight to 04:00 of the next day
SHORT = timedelta(days=31)  # a window that is searched by its dates; a longer one, or one without an end, by the events
_LONG_S = 172_800  # as in the schema's index of long occurrences
_NEVER = 1 << 40  # seconds since 1970: long after every date

# An occurrence that ends when it starts has no known end: it is in a window if it starts there, and over once it has begun.
# `:start` is the window's or now, whichever is later. What began before the window `:opens` comes after what begins in it,
# and the night before a day, which ends by 04:00, comes last.
_IN = "o.starts < :end AND (o.ends > :start OR o.ends = o.starts AND o.starts >= :start)"
_FAR = "((o.lat - :lat) * (o.lat - :lat) + (o.lng - :lng) * (o.lng - :lng) * :squeeze)"  # square degrees of latitude: enough to compare by
_WHERE = f"""(:area IS NULL OR e.area = :area AND o.venue = e.venue OR e.area = '' AND o.lat BETWEEN :south AND :north AND o.lng BETWEEN :west AND :east)
  AND (:reach IS NULL OR {_FAR} <= :reach)"""
_WHICH = """(:events IS NULL OR e.id IN (SELECT value FROM json_each(:events)))
  AND (:area IS NULL OR e.area IN (:area, ''))
  AND (NOT :free OR e.price LIKE 'free%')
  AND e.id NOT IN (SELECT x.event FROM json_each(:without) AS w CROSS JOIN event_tag AS x ON x.tag = w.value)"""
_ON = "o.state = 'scheduled' AND e.state = 'scheduled'"
_SHOWN = """
SELECT id, (SELECT count(*) FROM found) AS total FROM found
ORDER BY starts < :opens AND ends <= :night, iif(:nearest, far, 0), starts < :opens, starts, id LIMIT :limit"""
_COLUMNS = "o.id, o.event, o.starts, o.ends, o.state, o.venue, o.lat, o.lng"

# By the dates of a short window; those that last more than two days have an index of their own, so that the other can be entered near its start.
_BY_DATE = f"""
WITH dated AS MATERIALIZED (
  SELECT {_COLUMNS} FROM occurrence AS o WHERE o.starts >= :start - {_LONG_S} AND o.ends - o.starts <= {_LONG_S} AND {_IN}
  UNION ALL SELECT {_COLUMNS} FROM occurrence AS o WHERE o.ends - o.starts > {_LONG_S} AND o.ends > :start AND {_IN}),
found AS MATERIALIZED (
  SELECT o.id, o.starts, o.ends, {_FAR} AS far, min(o.starts + iif(o.state = 'scheduled', 0, {_NEVER})) AS first
  FROM dated AS o CROSS JOIN event AS e INDEXED BY event_where ON e.id = o.event
  WHERE (:whatever_state OR {_ON}) AND {_WHERE} AND {_WHICH} GROUP BY iif(:each, o.id, o.event))
{_SHOWN}"""
# By the events, each with its first date: one that takes place, else (where these are wanted too) one that does not.
_NEXT = f"SELECT o.id FROM occurrence AS o WHERE o.event = e.id AND o.ends >= :start AND {_IN} AND {_WHERE}"
_BY_EVENT = f"""
WITH next AS MATERIALIZED (
  SELECT coalesce(({_NEXT} AND {_ON} ORDER BY o.ends, o.starts LIMIT 1), iif(:whatever_state, ({_NEXT} ORDER BY o.ends, o.starts LIMIT 1), NULL)) AS id
  FROM event AS e INDEXED BY event_where WHERE (:whatever_state OR e.state = 'scheduled') AND {_WHICH}),
found AS MATERIALIZED (SELECT o.id, o.starts, o.ends, {_FAR} AS far FROM next CROSS JOIN occurrence AS o ON o.id = next.id)
{_SHOWN}"""
_FESTIVALS = f"""
WITH found AS MATERIALIZED (
  SELECT f.id, f.name,
    (SELECT min((SELECT o.starts FROM occurrence AS o WHERE o.event = e.id AND o.ends >= :start AND {_IN} AND {_ON} ORDER BY o.ends LIMIT 1))
     FROM event AS e WHERE e.festival = f.id) AS starts,
    EXISTS (SELECT 1 FROM event AS e CROSS JOIN occurrence AS o ON o.event = e.id WHERE e.festival = f.id) AS dated
  FROM festival AS f
  WHERE f.state = 'scheduled'
  AND (:ids IS NULL OR f.id IN (SELECT value FROM json_each(:ids)))
  AND (:area IS NULL OR f.location = :area OR EXISTS (SELECT 1 FROM event AS e WHERE e.festival = f.id AND e.area = :area))
  AND NOT EXISTS (SELECT 1 FROM festival_tag AS x JOIN json_each(:without) AS w ON x.tag = w.value WHERE x.festival = f.id))
SELECT id, count(*) OVER () AS total FROM found WHERE starts IS NOT NULL OR :undated AND NOT dated
ORDER BY starts IS NULL, starts, name, id LIMIT :limit"""

# Ids come as one text: a row of its own for each of some thousand takes ten times as long.
_TAGGED = "SELECT group_concat(event) FROM event_tag WHERE tag IN (SELECT value FROM json_each(?))"
_WORDED = "SELECT group_concat(rowid) FROM event_fts WHERE event_fts MATCH ?"
_AT = "SELECT group_concat(id) FROM event WHERE venue IN (SELECT value FROM json_each(?))"
_PROGRAMME = "SELECT group_concat(id) FROM event WHERE festival IN (SELECT value FROM json_each(?))"
_FESTIVAL_TAGGED = "SELECT group_concat(festival) FROM festival_tag WHERE tag IN (SELECT value FROM json_each(?))"
_HOLDING = """
SELECT group_concat(DISTINCT e.festival) FROM event_tag AS t JOIN event AS e ON e.id = t.event WHERE t.tag IN (SELECT value FROM json_each(?))"""
_VENUES = "SELECT DISTINCT venue FROM event WHERE venue <> ''"
_OFF = "SELECT name, state FROM festival WHERE state <> 'scheduled' AND id IN (SELECT value FROM json_each(?)) ORDER BY name, id LIMIT 3"
_TEXTS = "SELECT id, name, marks, description FROM festival"


@dataclass(frozen=True, slots=True)
class Found:
    """Ids in the order to show them, cut, and how many there were before."""

    ids: tuple[int, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for besides tags. `nearest`: by distance first; `whatever_state`: cancelled and postponed dates too; `limit`: rows at most."""

    when: Window | None
    limit: int
    festivals: tuple[int, ...] | None = None
    nearest: bool = False
    whatever_state: bool = False


def dates(bench: Bench, keywords: Tags, search: Search) -> Found:
    """The occurrences ahead that a call means: one an event, the first that fits; every one of them where the window is one day."""
    events = chosen_events(bench.snapshot.festivals, keywords, search.festivals)
    if events is not None and not events:
        return Found()
    length = search.when.end - search.when.start if search.when else None
    params = _span(bench, search.when) | _where(bench, nearest=search.nearest) | {
        "events": None if events is None else dumps(sorted(events)),
        "without": dumps(keywords.without),
        "free": "free" in keywords.prices,
        "each": length is not None and length <= ONE_DAY,
        "whatever_state": search.whatever_state,
        "limit": search.limit,
    }  # fmt: skip
    return _found(bench.snapshot.festivals, _BY_DATE if length is not None and length <= SHORT else _BY_EVENT, params)


def festivals(bench: Bench, keywords: Tags, when: Window | None, limit: int) -> Found:
    """The festivals with a date ahead in the window, soonest first; without a window also those of which no date at all is known, last."""
    ids = _chosen_festivals(bench.snapshot.festivals, keywords)
    params = _span(bench, when) | {
        "ids": None if ids is None else dumps(sorted(ids)),
        "area": _area(bench),
        "without": dumps(keywords.without),
        "undated": when is None,
        "limit": limit,
    }
    return _found(bench.snapshot.festivals, _FESTIVALS, params)


def off(bench: Bench, keywords: Tags) -> tuple[str, ...]:
    """Of the festivals that the phrases mean, those that are off, in words: "Film Week is cancelled"."""
    ids = _chosen_festivals(bench.snapshot.festivals, keywords)
    rows = bench.snapshot.festivals.rows(_OFF, (dumps(sorted(ids or ())),))
    return tuple(f"{row['name']} is {row['state']}" for row in rows)


def chosen_events(belt: Belt, keywords: Tags, of: tuple[int, ...] | None = None) -> set[int] | None:
    """The events that meet every phrase, by tag or title, or by any word of theirs and their venue's for a phrase that is no tag; None for any event."""
    chosen = [_ids(belt, _PROGRAMME, dumps(of))] if of is not None else []
    for group, name in _asked(keywords):
        chosen.append(_ids(belt, _TAGGED, dumps(group)).union(*(_titled(belt, part) for part in name.split(" or "))))
    chosen += [_worded(belt, phrase) for phrase in keywords.unmet]
    return set.intersection(*chosen) if chosen else None


def _chosen_festivals(belt: Belt, keywords: Tags) -> set[int] | None:
    """The festivals that meet every phrase, by tag or by their own words; failing these, those with events of the tags."""
    if not keywords.groups and not keywords.unmet:
        return None
    texts = {row["id"]: f" {fold(' '.join((row['name'], row['marks'], row['description'])))} " for row in belt.rows(_TEXTS)}
    unmet = [_saying(texts, (phrase,)) for phrase in keywords.unmet]
    for tagged in (_FESTIVAL_TAGGED, _HOLDING):
        met = [_ids(belt, tagged, dumps(group)) | _saying(texts, name.split(" or ")) for group, name in _asked(keywords)]
        if found := set.intersection(*met, *unmet):
            return found
    return set()


def _asked(keywords: Tags) -> list[tuple[tuple[int, ...], str]]:
    """Each group of tags with the phrase it came of, empty where that is not known."""
    return list(zip_longest(keywords.groups, keywords.names[: len(keywords.groups)], fillvalue=""))  # type: ignore[arg-type]  # as many groups


def _saying(texts: dict[int, str], phrases: Iterable[str]) -> set[int]:
    """Whose text has all words of one of the phrases."""
    words = [fold(phrase).split() for phrase in phrases]
    return {number for number, text in texts.items() if any(asked and all(f" {word} " in text for word in asked) for asked in words)}


def _titled(belt: Belt, phrase: str) -> set[int]:
    return _ids(belt, _WORDED, f"title : ({match((phrase,))})")


def _worded(belt: Belt, phrase: str) -> set[int]:
    """The events that say all words of a phrase, or are at a venue that bears them."""
    venues = {row["venue"]: f" {fold(row['venue'])} " for row in belt.rows(_VENUES)}
    asked = fold(phrase).split()
    at = [venue for venue, folded in venues.items() if asked and all(f" {word} " in folded for word in asked)]
    return _ids(belt, _WORDED, match((phrase,))) | _ids(belt, _AT, dumps(at))


def _ids(belt: Belt, sql: str, asked: str) -> set[int]:
    row = belt.one(sql, (asked,))
    return set(map(int, str(row[0]).split(","))) if row and row[0] is not None else set()


def _found(belt: Belt, sql: str, params: dict[str, object]) -> Found:
    rows = belt.rows(sql, params)
    return Found(tuple(row["id"] for row in rows), rows[0]["total"] if rows else 0)


def _span(bench: Bench, when: Window | None) -> dict[str, object]:
    now = bench.now.timestamp()
    if when is None:
        return {"opens": -_NEVER, "night": -_NEVER, "start": now, "end": _NEVER}
    opens = when.start.timestamp()
    night = when.start.replace(hour=4).timestamp() if when.start.hour == 0 and not when.instant else -_NEVER
    return {"opens": opens, "night": night, "start": max(now, opens), "end": when.end.timestamp()}


def _area(bench: Bench) -> str | None:
    return bench.anchor.name if bench.anchor.area is not None else None


def _where(bench: Bench, *, nearest: bool) -> dict[str, object]:
    """An area is looked in, by its name or, for events of no known area, its box; around a point, as far as the order allows."""
    box, area = bench.anchor.box, _area(bench)
    around = bench.anchor.point if area is None else None
    point = around or Point(0, 0)
    reach = (ANYWHERE_M if nearest else AT_M if bench.anchor.place else WALK_M) / METRES_A_DEGREE
    return {
        "area": area,
        "south": box.south if box else None,
        "north": box.north if box else None,
        "west": box.west if box else None,
        "east": box.east if box else None,
        "lat": point.lat,
        "lng": point.lng,
        "squeeze": cos(radians(point.lat)) ** 2,
        "reach": reach**2 if around else None,
        "nearest": nearest and around is not None,
    }
