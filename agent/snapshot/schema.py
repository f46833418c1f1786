"""The snapshot's tables, and the rows that the writer takes.

Ids are small integers that the writer gives, in the order of the public ids, so that equal content makes equal tables.
Place tables and festival tables are apart: a venue's name and point are copied into its events (A-19).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

APPLICATION_ID = 0x41736B53  # "AskS"
SCHEMA_VERSION = 4

CELL_DEGREES = 0.005  # about 550 m of latitude
CELL_ROW = 100_000  # cells in one row of the grid
EVERY = 0  # stands in `tag_cell` and `tag_fame` for the tag that every open place bears; in `tag_fame` -1, -2 ... are the areas


def cell_of(lat: float, lng: float) -> int:
    """The grid cell of a point: cells of one row are neighbours in number, so a row of a circle is one range."""
    return int((lat + 90) / CELL_DEGREES) * CELL_ROW + int((lng + 180) / CELL_DEGREES)


TABLES = """
CREATE TABLE manifest(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE page(url TEXT PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE area(id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, lat REAL, lng REAL,
  south REAL, west REAL, north REAL, east REAL, outline TEXT, sharp INTEGER NOT NULL, source TEXT NOT NULL, licence TEXT NOT NULL);
CREATE TABLE tag(id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, kind TEXT NOT NULL, parent INTEGER, places INTEGER NOT NULL, events INTEGER NOT NULL);
CREATE TABLE tag_vector(id INTEGER PRIMARY KEY, tag INTEGER NOT NULL, phrase TEXT NOT NULL, vector BLOB NOT NULL);
CREATE TABLE score_kind(id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL);

CREATE TABLE name(id INTEGER PRIMARY KEY, folded TEXT NOT NULL, kind TEXT NOT NULL, ref INTEGER NOT NULL, text TEXT NOT NULL, rank INTEGER NOT NULL);
CREATE TABLE name_gram(gram TEXT, size INTEGER, name INTEGER, PRIMARY KEY(gram, size, name)) WITHOUT ROWID;
CREATE TABLE gram(gram TEXT PRIMARY KEY, names INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE name_fts USING fts5(folded, content='name', content_rowid='id', tokenize='unicode61 remove_diacritics 2');

CREATE TABLE place(id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, category INTEGER, area INTEGER, lat REAL, lng REAL,
  state TEXT NOT NULL, price TEXT NOT NULL, wheelchair TEXT NOT NULL, hours TEXT NOT NULL, hours_known INTEGER NOT NULL, landmark INTEGER NOT NULL,
  prominence INTEGER NOT NULL, address TEXT NOT NULL, postcode TEXT NOT NULL, phone TEXT NOT NULL, website TEXT NOT NULL, description TEXT NOT NULL,
  source TEXT NOT NULL, licence TEXT NOT NULL, checked_on TEXT, scores BLOB NOT NULL);
CREATE TABLE place_tag(place INTEGER, tag INTEGER, PRIMARY KEY(place, tag)) WITHOUT ROWID;
CREATE TABLE score(place INTEGER, kind INTEGER, value REAL NOT NULL, reason TEXT NOT NULL, method TEXT NOT NULL, PRIMARY KEY(place, kind)) WITHOUT ROWID;
CREATE TABLE tag_cell(tag INTEGER, cell INTEGER, place INTEGER, lat REAL NOT NULL, lng REAL NOT NULL, area INTEGER, price TEXT NOT NULL, scores BLOB NOT NULL,
  PRIMARY KEY(tag, cell, place)) WITHOUT ROWID;
CREATE TABLE tag_fame(tag INTEGER, fame INTEGER, place INTEGER, area INTEGER, price TEXT NOT NULL, scores BLOB NOT NULL, PRIMARY KEY(tag, fame, place)) WITHOUT ROWID;
CREATE TABLE hours(place INTEGER, opens INTEGER, closes INTEGER NOT NULL, state TEXT NOT NULL, PRIMARY KEY(place, opens)) WITHOUT ROWID;
CREATE TABLE hours_day(place INTEGER, day INTEGER, opens INTEGER, closes INTEGER NOT NULL, state TEXT NOT NULL, PRIMARY KEY(place, day, opens)) WITHOUT ROWID;
CREATE VIRTUAL TABLE place_rtree USING rtree(id, south, north, west, east);
CREATE VIRTUAL TABLE place_fts USING fts5(name, tags, description, tokenize='unicode61 remove_diacritics 2');

CREATE TABLE festival(id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL, marks TEXT NOT NULL, description TEXT NOT NULL, organiser TEXT NOT NULL,
  tickets TEXT NOT NULL, website TEXT NOT NULL, location TEXT NOT NULL, state TEXT NOT NULL, source TEXT NOT NULL, licence TEXT NOT NULL, checked_on TEXT);
CREATE TABLE festival_tag(festival INTEGER, tag INTEGER, PRIMARY KEY(festival, tag)) WITHOUT ROWID;
CREATE TABLE event(id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, festival INTEGER, title TEXT NOT NULL, description TEXT NOT NULL, all_day INTEGER NOT NULL,
  rrule TEXT NOT NULL, venue TEXT NOT NULL, venue_slug TEXT NOT NULL, area TEXT NOT NULL, lat REAL, lng REAL, price TEXT NOT NULL, age TEXT NOT NULL, access TEXT NOT NULL,
  website TEXT NOT NULL, state TEXT NOT NULL, source TEXT NOT NULL, licence TEXT NOT NULL, checked_on TEXT);
CREATE TABLE event_tag(event INTEGER, tag INTEGER, PRIMARY KEY(event, tag)) WITHOUT ROWID;
CREATE TABLE occurrence(id INTEGER PRIMARY KEY, event INTEGER NOT NULL, starts INTEGER NOT NULL, ends INTEGER NOT NULL, starts_local TEXT NOT NULL, ends_local TEXT NOT NULL,
  state TEXT NOT NULL, note TEXT NOT NULL, venue TEXT NOT NULL, lat REAL, lng REAL);
CREATE VIRTUAL TABLE event_fts USING fts5(title, tags, description, tokenize='unicode61 remove_diacritics 2');
"""

# Made after the tables are full, which is several times faster.
INDEXES = """
CREATE INDEX name_folded ON name(folded, kind);
CREATE INDEX place_tag_tag ON place_tag(tag, place);
CREATE INDEX occurrence_window ON occurrence(starts, ends, event, state, venue, lat, lng);
CREATE INDEX occurrence_long ON occurrence(ends, starts, event, state, venue, lat, lng) WHERE ends - starts > 172800;
CREATE INDEX occurrence_event ON occurrence(event, ends, starts, state, venue, lat, lng);
CREATE INDEX event_tag_tag ON event_tag(tag, event);
CREATE INDEX event_festival ON event(festival);
CREATE INDEX event_where ON event(id, state, area, venue, price);
"""

# What each belt may read. Shadow tables of a virtual table go with it.
BELTS: Mapping[str, tuple[str, ...]] = {
    "places": ("place", "place_tag", "tag", "score", "score_kind", "tag_cell", "tag_fame", "hours", "hours_day", "place_rtree", "place_fts", "area"),
    "festivals": ("festival", "festival_tag", "event", "event_tag", "occurrence", "event_fts", "tag"),
    "anchors": ("name", "name_gram", "gram", "name_fts", "area", "place", "tag", "tag_vector", "score_kind"),
    "pages": ("manifest", "page", "area", "tag", "score_kind", "place", "place_tag", "score", "tag_cell", "tag_fame", "hours", "hours_day", "place_rtree", "place_fts",
              "festival", "festival_tag", "event", "event_tag", "occurrence", "event_fts"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AreaRow:
    """`sharp` is false where only a middle is known (a map's point): its places are then those nearest to it, and no border can be asked about."""

    slug: str
    name: str
    names: tuple[str, ...]
    lat: float | None
    lng: float | None
    outline: Mapping[str, object] | None
    source: str
    licence: str
    sharp: bool = True


@dataclass(frozen=True, slots=True)
class TagRow:
    """`phrases` and `vectors` go together: the tag's name first, then its synonyms; a vector is 512 floats of unit length."""

    slug: str
    name: str
    kind: str
    parent: str
    phrases: tuple[str, ...]
    vectors: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class ScoreKindRow:
    slug: str
    name: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    kind: str
    value: float
    reason: str
    method: str


@dataclass(frozen=True, slots=True)
class Interval:
    """Minutes from a midnight (of Monday in a week, of the day in a dated exception); `closes` may pass the end. `state`: open, unknown, or closed."""

    opens: int
    closes: int
    state: str = "open"


@dataclass(frozen=True, slots=True)
class Hours:
    """Opening hours, expanded. `days` maps a date's ordinal to all intervals that begin on that date, in place of the week's; `known` is false where nothing is known.

    A date with no interval at all is written as one row of state `closed` from 0 to 1440, so that it still hides the week's.
    """

    week: tuple[Interval, ...] = ()
    days: Mapping[int, tuple[Interval, ...]] = field(default_factory=dict)
    known: bool = False


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """`tags` are slugs with their ancestors left out; the writer adds them. `names` are the other names."""

    slug: str
    name: str
    names: tuple[str, ...]
    category: str
    tags: tuple[str, ...]
    area: str
    lat: float | None
    lng: float | None
    state: str
    price: str
    wheelchair: str
    hours_text: str
    hours: Hours
    landmark: bool
    prominence: int
    address: str
    postcode: str
    phone: str
    website: str
    description: str
    source: str
    licence: str
    checked_on: str | None
    scores: tuple[ScoreRow, ...]


@dataclass(frozen=True, slots=True)
class FestivalRow:
    slug: str
    name: str
    names: tuple[str, ...]
    marks: str
    description: str
    organiser: str
    tickets: str
    website: str
    location: str
    state: str
    tags: tuple[str, ...]
    source: str
    licence: str
    checked_on: str | None


@dataclass(frozen=True, slots=True)
class OccurrenceRow:
    """`starts` and `ends` in seconds since 1970 (UTC); the local texts are ISO 8601 with their offset."""

    starts: int
    ends: int
    starts_local: str
    ends_local: str
    state: str
    note: str
    venue: str
    lat: float | None
    lng: float | None


@dataclass(frozen=True, slots=True)
class EventRow:
    slug: str
    festival: str
    title: str
    description: str
    all_day: bool
    rrule: str
    venue: str
    venue_slug: str
    area: str
    lat: float | None
    lng: float | None
    price: str
    age: str
    access: str
    website: str
    state: str
    tags: tuple[str, ...]
    occurrences: tuple[OccurrenceRow, ...]
    source: str
    licence: str
    checked_on: str | None


@dataclass(frozen=True, slots=True)
class Content:
    """All that a snapshot is made of. Each iterable is read once, in any order; places may be many and are streamed."""

    areas: Iterable[AreaRow] = ()
    tags: Iterable[TagRow] = ()
    score_kinds: Iterable[ScoreKindRow] = ()
    places: Iterable[PlaceRow] = ()
    festivals: Iterable[FestivalRow] = ()
    events: Iterable[EventRow] = ()
