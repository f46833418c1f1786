"""Places of an import, written in batches: what is new is made, what differs is changed, what a curator locked stays."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Model
from django.utils import timezone

from agent.snapshot.names import fold
from places.importers.areas import Locator
from places.importers.report import Report
from places.importers.rows import PlaceRow
from places.importers.slugs import Slugs
from places.models import Place, PlaceName, Score, ScoreKind, Status

BATCH = 500
Link = tuple[Any, ...]


class Places:
    """Writes the places of one import. `tags` maps a tag's public id to its primary key, `kinds` a folded name to the score's kind."""

    def __init__(self, status: str, report: Report, locator: Locator, tags: Mapping[str, int], kinds: Mapping[str, ScoreKind]) -> None:
        self._status = status
        self._report = report
        self._locator = locator
        self._tags = tags
        self._kinds = kinds
        self._slugs = Slugs(Place.objects.values_list("slug", flat=True), "place")

    def write(self, rows: list[PlaceRow]) -> None:
        """Write one batch."""
        known = _known(rows)
        pairs = [(known.get((row.source, row.source_id)), row) for row in rows]
        made = [(self._new(row), row) for place, row in pairs if place is None]
        Place.objects.bulk_create([place for place, _ in made])
        old = [(place, row) for place, row in pairs if place is not None]
        touched = self._update(old)
        touched |= self._link_tags(made + old) | self._link_names(made + old) | self._link_scores(made + old)
        changed = touched & {place.pk for place, _ in old}
        Place.objects.filter(pk__in=changed).update(updated_at=timezone.now())
        self._count(len(made), len(changed), len(old))
        self._report.notes += [f"{row.where}: {note}" for row in rows for note in row.notes]

    def _count(self, new: int, changed: int, old: int) -> None:
        self._report.new += new
        self._report.changed += changed
        self._report.same += old - changed

    def _values(self, row: PlaceRow) -> dict[str, Any]:
        """The row as the model's own columns."""
        values = dict(row.fields)
        if row.tags is not None:
            values["category_id"] = self._tags[row.category.slug] if row.category else None
        area = self._locator.find(row)
        if area is not None or row.lat is not None:
            values["area_id"] = area
        return values

    def _new(self, row: PlaceRow) -> Place:
        status = row.status or self._status
        return Place(slug=self._slugs.give(row.fields["name"]), status=status, source=row.source, source_id=row.source_id, **self._values(row))

    def _update(self, pairs: list[tuple[Place, PlaceRow]]) -> set[int]:
        by_fields: dict[tuple[str, ...], list[Place]] = defaultdict(list)
        for place, row in pairs:
            if changes := self._changes(place, row):
                for field, value in changes.items():
                    setattr(place, field, value)
                by_fields[tuple(sorted(changes))].append(place)
        for fields, places in by_fields.items():
            Place.objects.bulk_update(places, [field.removesuffix("_id") for field in fields])
        return {place.pk for places in by_fields.values() for place in places}

    def _changes(self, place: Place, row: PlaceRow) -> dict[str, Any]:
        differing = {field: value for field, value in self._values(row).items() if getattr(place, field) != value}
        changes = {field: value for field, value in differing.items() if not _locked(place, field)}
        self._report.kept += [f"{row.where} ({place.slug}): {field.removesuffix('_id')}" for field in differing if field not in changes]
        if place.status == Status.IN_REVIEW and self._status == Status.PUBLISHED and not row.status and not _locked(place, "status"):
            changes["status"] = Status.PUBLISHED
        return changes

    def _link_tags(self, pairs: list[tuple[Place, PlaceRow]]) -> set[int]:
        through = Place.tags.through
        wanted = {place.pk: {(self._tags[tag.slug],) for tag in row.tags} for place, row in self._open(pairs, "tags") if row.tags is not None}
        return _match(through, ("tag_id",), wanted)

    def _link_names(self, pairs: list[tuple[Place, PlaceRow]]) -> set[int]:
        wanted = {place.pk: set(row.names) for place, row in self._open(pairs, "names") if row.names is not None}
        return _match(PlaceName, ("text", "lang"), wanted)

    def _link_scores(self, pairs: list[tuple[Place, PlaceRow]]) -> set[int]:
        """Scores of an earlier import are replaced; one that a curator or a survey gave stays, and the report says so."""
        scored = [(place, row) for place, row in self._open(pairs, "scores") if row.scores is not None]
        judged = set(
            Score.objects.filter(place__in=[place.pk for place, _ in scored]).exclude(method=Score.Method.IMPORT).values_list("place_id", "kind_id")
        )
        wanted: dict[int, set[Link]] = {}
        for place, row in scored:
            given = {(self._kinds[fold(score.kind)].pk, score.value, score.reason, Score.Method.IMPORT.value) for score in row.scores or ()}
            wanted[place.pk] = {link for link in given if (place.pk, link[0]) not in judged}
            self._report.kept += [f"{row.where} ({place.slug}): a curator's score" for _ in given - wanted[place.pk]]
        return _match(Score, ("kind_id", "value", "reason", "method"), wanted, method=Score.Method.IMPORT)

    def _open(self, pairs: list[tuple[Place, PlaceRow]], what: str) -> Iterable[tuple[Place, PlaceRow]]:
        for place, row in pairs:
            if _locked(place, what):
                self._report.kept.append(f"{row.where} ({place.slug}): {what}")
            else:
                yield place, row


def _known(rows: list[PlaceRow]) -> dict[tuple[str, str], Place]:
    by_source: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        by_source[row.source].append(row.source_id)
    known: dict[tuple[str, str], Place] = {}
    for source, ids in by_source.items():
        for place in Place.objects.filter(source=source, source_id__in=ids).order_by("-pk"):
            known[source, place.source_id] = place
    return known


def _locked(place: Place, field: str) -> bool:
    plain = field.removesuffix("_id")
    return plain in place.locked_fields or (plain in {"lat", "lng"} and bool({"lat", "lng"} & set(place.locked_fields)))


def _match(model: type[Model], columns: tuple[str, ...], wanted: Mapping[int, set[Link]], **only: str) -> set[int]:
    """Make the rows that hang on places those that are wanted. Returns the places where something had to be changed."""
    had: dict[int, dict[Link, int]] = defaultdict(dict)
    for pk, place, *link in model.objects.filter(place_id__in=list(wanted), **only).values_list("pk", "place_id", *columns):
        had[place][tuple(link)] = pk
    gone = {place: [pk for link, pk in had[place].items() if link not in links] for place, links in wanted.items()}
    new = {place: sorted(links - set(had[place])) for place, links in wanted.items()}
    if any(gone.values()):
        model.objects.filter(pk__in=[pk for pks in gone.values() for pk in pks]).delete()
    model.objects.bulk_create(model(place_id=place, **dict(zip(columns, link, strict=True))) for place, links in new.items() for link in links)
    return {place for place in wanted if gone[place] or new[place]}
