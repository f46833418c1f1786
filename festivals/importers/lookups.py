"""The festivals and the places that rows of events name."""

from collections.abc import Iterator

from django.utils import timezone

from agent.snapshot.names import fold
from festivals.importers.report import EventReport
from festivals.importers.rows import FestivalWord
from festivals.models import Festival, FestivalName
from places.importers.slugs import Slugs
from places.models import Place, PlaceName, Status


class Festivals:
    """Finds the festival of a word: by its source and id, else by any of its names. Makes it where there is none; `status` is that of new ones."""

    def __init__(self, status: str, report: EventReport) -> None:
        self._status = status
        self._report = report
        self._slugs = Slugs(Festival.objects.values_list("slug", flat=True), "festival")
        everything = sorted(Festival.objects.order_by("pk"), key=lambda one: one.status == Status.WITHDRAWN)
        by_pk = {one.pk: one for one in everything}
        self._by_id = {(one.source, one.source_id): one for one in everything if one.source_id}
        self._by_name = {fold(one.name): one for one in reversed(everything)}
        for pk, text in FestivalName.objects.order_by("pk").values_list("festival_id", "text"):
            self._by_name.setdefault(fold(text), by_pk[pk])
        self._done: dict[tuple[str, str, str], int] = {}

    def need(self, word: FestivalWord, source: str) -> int:
        """The festival's primary key. What the same source said of it is brought up to date, once an import."""
        key = (source, word.source_id, fold(word.name))
        if key not in self._done:
            found = self._by_id.get((source, word.source_id)) or self._by_name.get(key[2])
            if found is None:
                found = self._make(word, source)
            elif found.source == source:
                self._update(found, word)
            self._done[key] = found.pk
        return self._done[key]

    def _make(self, word: FestivalWord, source: str) -> Festival:
        made = Festival.objects.create(
            slug=self._slugs.give(word.name), name=word.name, status=self._status, source=source, source_id=word.source_id, **word.fields
        )
        self._report.festivals_made.append(word.name)
        self._by_name[fold(word.name)] = made
        return made

    def _update(self, festival: Festival, word: FestivalWord) -> None:
        differing = {field: value for field, value in ({"name": word.name} | dict(word.fields)).items() if getattr(festival, field) != value}
        changes = {field: value for field, value in differing.items() if field not in festival.locked_fields}
        self._report.kept += [f"{field} of festival {festival.name}" for field in differing if field not in changes]
        if festival.status == Status.IN_REVIEW and self._status == Status.PUBLISHED and "status" not in festival.locked_fields:
            changes["status"] = Status.PUBLISHED
        if changes:
            Festival.objects.filter(pk=festival.pk).update(**changes, updated_at=timezone.now())


class Venues:
    """Finds the place of a venue: the only one that has exactly this name, accents and case aside."""

    def __init__(self) -> None:
        self._places: dict[str, set[int]] = {}
        for pk, name in _names():
            self._places.setdefault(fold(name), set()).add(pk)

    def find(self, venue: str) -> int | None:
        """The place's primary key, or None."""
        found = self._places.get(fold(venue), set()) if venue else set()
        return next(iter(found)) if len(found) == 1 else None


def _names() -> Iterator[tuple[int, str]]:
    yield from Place.objects.exclude(status=Status.WITHDRAWN).values_list("pk", "name")
    yield from PlaceName.objects.exclude(place__status=Status.WITHDRAWN).values_list("place_id", "text")
