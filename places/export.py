"""The published rows of the town's places, as the snapshot's writer takes them.

Equal content gives equal rows from SQLite and from PostgreSQL: rows come in the byte order of their slugs, what belongs to a row is sorted here and
not by the database's collation, text is NFC, decimals become floats and outlines are rebuilt.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from django.db import connections, models
from django.db.models import F
from django.db.models.functions import Collate

from agent.snapshot.schema import AreaRow, PlaceRow, ScoreKindRow, ScoreRow, TagRow
from agent.types import Town
from places.hours import expand
from places.models import Area, AreaName, Place, PlaceName, Score, ScoreKind, Status, Synonym, Tag

CHUNK = 2_000  # rows held at a time while a table streams
HOURS_BEFORE_DAYS = 366  # opening hours are expanded from a year back, as dates are, so that an earlier `--now` is answered too
HOURS_DAYS = 366 + 548  # to 18 months ahead; a snapshot older than this says that hours are not known
VECTOR_DIGITS = 4  # PostgreSQL keeps 32-bit floats, SQLite text: four decimals are equal in both

Row = TypeVar("Row", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Rows:
    """The published rows of the places. `places` can be read once. `hours_first` and `hours_days` bound the expanded opening hours."""

    areas: tuple[AreaRow, ...]
    tags: tuple[TagRow, ...]
    score_kinds: tuple[ScoreKindRow, ...]
    places: Iterator[PlaceRow]
    hours_first: date
    hours_days: int


def rows(town: Town, now: datetime, using: str = "default", vectors: Mapping[str, Sequence[float]] = MappingProxyType({})) -> Rows:
    """Everything published of the places, at `now` (aware), from the database `using`. Five queries, and five more while the places stream.

    `vectors` stand in for the stored vectors of their phrases, for a check that stores nothing.
    """
    first = hours_first(town, now)
    return Rows(
        areas=areas(using),
        tags=tags(using, vectors),
        score_kinds=score_kinds(using),
        places=places(town, first, using),
        hours_first=first,
        hours_days=HOURS_DAYS,
    )


def hours_first(town: Town, now: datetime) -> date:
    """The first day of the expanded hours, in the town's calendar."""
    return now.astimezone(town.timezone).date() - timedelta(days=HOURS_BEFORE_DAYS)


def published(model: type[Row], using: str = "default") -> models.QuerySet[Row]:
    """What of a curated table the public may see: the one place that decides it."""
    return model._default_manager.using(using).filter(status=Status.PUBLISHED)  # noqa: SLF001 - Django's documented name


@contextmanager
def one_view(using: str = "default") -> Iterator[None]:
    """All that is read inside is of one moment, and nobody's writing waits for it.

    Inside a transaction of the caller's it does nothing: the moment is then the caller's.
    """
    connection = connections[using]
    if connection.in_atomic_block:
        yield
        return
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if connection.vendor == "postgresql" else "BEGIN DEFERRED"
    with connection.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def by_slug(using: str, path: str = "slug") -> Collate:
    """The byte order of a slug, the same in both databases and the same as Python's."""
    return Collate(F(path), "C" if connections[using].vendor == "postgresql" else "BINARY")


def grouped(stream: Iterable[tuple[Any, ...]]) -> Callable[[Hashable], list[tuple[Any, ...]]]:
    """Read a stream whose first column is its owner's key, beside the stream of the owners in the same order.

    The function that it gives takes the owners' keys in that order, and returns what belongs to each, without the key.
    """
    groups = groupby(stream, key=itemgetter(0))
    held = next(groups, None)

    def of(key: Hashable) -> list[tuple[Any, ...]]:
        nonlocal held
        if held is None or held[0] != key:
            return []
        found = [row[1:] for row in held[1]]
        held = next(groups, None)
        return found

    return of


def other_names(name: str, found: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """A row's other names, from (language, text), each once."""
    return tuple(text for text in dict.fromkeys(nfc(text) for _, text in sorted(found)) if text != nfc(name))


def outline(geometry: Any) -> Any:
    """A GeoJSON geometry with its keys in order and its numbers floats, since each database keeps JSON in its own way."""
    if isinstance(geometry, Mapping):
        return {key: outline(geometry[key]) for key in sorted(geometry)}
    if isinstance(geometry, list):
        return [outline(part) for part in geometry]
    return float(geometry) if isinstance(geometry, int | float) else geometry


def areas(using: str) -> tuple[AreaRow, ...]:
    names: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for area, lang, text in AreaName.objects.using(using).filter(area__in=published(Area, using)).values_list("area_id", "lang", "text"):
        names[area].append((lang, text))
    return tuple(
        AreaRow(
            slug=slug,
            name=nfc(name),
            names=other_names(name, names[key]),
            lat=lat,
            lng=lng,
            outline=outline(shape),
            source=nfc(source),
            licence=nfc(licence),
            sharp=bool(shape) or not middle_only,
        )
        for key, slug, name, lat, lng, shape, middle_only, source, licence in published(Area, using)
        .order_by(by_slug(using))
        .values_list("pk", "slug", "name", "lat", "lng", "outline", "middle_only", "source", "licence")
    )


def tags(using: str, vectors: Mapping[str, Sequence[float]]) -> tuple[TagRow, ...]:
    """Every tag with its phrases and vectors; a phrase without a vector is left out (`places.embeddings` makes them)."""
    synonyms: dict[int, list[tuple[str, Any]]] = defaultdict(list)
    for tag, phrase, vector in Synonym.objects.using(using).values_list("tag_id", "phrase", "embedding"):
        synonyms[tag].append((phrase, vector))
    found = Tag.objects.using(using).order_by(by_slug(using)).values_list("pk", "slug", "name", "kind", "parent__slug", "embedding")
    return tuple(
        TagRow(
            slug=slug,
            name=nfc(name),
            kind=kind,
            parent=parent or "",
            **_phrases([(name, vector), *sorted(synonyms[key], key=itemgetter(0))], vectors),
        )
        for key, slug, name, kind, parent, vector in found
    )


def _phrases(found: Iterable[tuple[str, Any]], instead: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    vectors: dict[str, tuple[float, ...]] = {}
    for phrase, stored in found:
        vector = instead.get(nfc(phrase), stored)
        if vector is not None:
            vectors.setdefault(nfc(phrase), tuple(np.round(vector, VECTOR_DIGITS).tolist()))
    return {"phrases": tuple(vectors), "vectors": tuple(vectors.values())}


def score_kinds(using: str) -> tuple[ScoreKindRow, ...]:
    return tuple(
        ScoreKindRow(slug=slug, name=nfc(name), words=tuple(word for word in (nfc(word).strip() for word in words.split(";")) if word))
        for slug, name, words in ScoreKind.objects.using(using).order_by(by_slug(using)).values_list("slug", "name", "words")
    )


def places(town: Town, first: date, using: str) -> Iterator[PlaceRow]:
    """The published places, streamed. Places and what belongs to them are read side by side in one order."""
    known_areas = set(published(Area, using).values_list("pk", flat=True))

    names = grouped(_of_places(PlaceName, using, "place_id", "lang", "text"))
    tag_slugs = grouped(_of_places(Place.tags.through, using, "place_id", "tag__slug"))
    scores = grouped(_of_places(Score, using, "place_id", "kind__slug", "value", "reason", "method"))
    columns = (*_SAME, "pk", "area_id", "area__slug", "category__slug", "opening_hours", "checked_on")
    for values in published(Place, using).order_by(by_slug(using)).values_list(*columns).iterator(CHUNK):
        same = {key: nfc(value) if isinstance(value, str) else value for key, value in zip(_SAME, values, strict=False)}
        key, area, area_slug, category, hours_text, checked_on = values[len(_SAME) :]
        yield PlaceRow(
            **same,
            names=other_names(same["name"], names(key)),
            category=category or "",
            tags=tuple(sorted(slug for (slug,) in tag_slugs(key))),
            area=area_slug if area in known_areas else "",
            hours_text=nfc(hours_text),
            hours=expand(hours_text, town, first, HOURS_DAYS),
            checked_on=checked_on and checked_on.isoformat(),
            scores=tuple(ScoreRow(kind, float(value), nfc(reason), method) for kind, value, reason, method in sorted(scores(key))),
        )


_SAME = ("slug", "name", "lat", "lng", "state", "price", "wheelchair", "landmark", "prominence", "address", "postcode", "phone", "website", "description", "source", "licence")  # fmt: skip


def _of_places(model: type[models.Model], using: str, *columns: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table that belong to published places, in the places' order."""
    whose = model._default_manager.using(using).filter(place__status=Status.PUBLISHED)  # noqa: SLF001 - Django's documented name
    return whose.order_by(by_slug(using, "place__slug")).values_list(*columns).iterator(CHUNK)
