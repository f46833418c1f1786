"""Areas of an import: written first, then every place looks up its own."""

import math

import numpy as np
import shapely
from django.utils import timezone
from shapely.geometry import Point, shape

from agent.snapshot.names import fold
from places.importers.report import Report
from places.importers.rows import AreaRow, PlaceRow
from places.importers.slugs import Slugs
from places.importers.survey import NamedArea
from places.models import Area, AreaName, Status

NEAREST_M = 1500.0  # a place farther than this from the middle of every area without an outline belongs to none
METRES_PER_DEGREE = 111_195.0  # of latitude, on a sphere of 6,371 km


class Areas:
    """Writes the areas of one import. `status` is that of new ones."""

    def __init__(self, status: str, report: Report) -> None:
        self._status = status
        self._report = report
        self._slugs = Slugs(Area.objects.values_list("slug", flat=True), "area")

    def write(self, row: AreaRow) -> None:
        area = Area.objects.filter(source=row.source, source_id=row.source_id).order_by("pk").first()
        if area is None:
            area = Area.objects.create(slug=self._slugs.give(row.name), status=self._status, source_id=row.source_id, **self._fields(row))
            AreaName.objects.bulk_create(AreaName(area=area, text=text, lang=lang) for text, lang in sorted(row.names))
            self._report.new += 1
        elif self._update(area, row):
            self._report.changed += 1
        else:
            self._report.same += 1

    def _fields(self, row: AreaRow) -> dict[str, object]:
        return {
            "name": row.name,
            "lat": row.lat,
            "lng": row.lng,
            "outline": row.outline,
            "middle_only": row.outline is None,
            "source": row.source,
            "licence": row.licence,
        }

    def _update(self, area: Area, row: AreaRow) -> bool:
        differing = {key: value for key, value in self._fields(row).items() if getattr(area, key) != value}
        locked = set(area.locked_fields)
        self._report.kept += [f"{row.where}: {key} of area {area.name}" for key in differing if key in locked]
        changes = {key: value for key, value in differing.items() if key not in locked}
        if area.status == Status.IN_REVIEW and self._status == Status.PUBLISHED and "status" not in locked:
            changes["status"] = Status.PUBLISHED
        if changes:
            Area.objects.filter(pk=area.pk).update(**changes, updated_at=timezone.now())
        return self._update_names(area, row) or bool(changes)

    def _update_names(self, area: Area, row: AreaRow) -> bool:
        had = {(name.text, name.lang): name.pk for name in area.names.all()}
        if set(had) == row.names or "names" in area.locked_fields:
            return False
        AreaName.objects.filter(pk__in=[pk for pair, pk in had.items() if pair not in row.names]).delete()
        AreaName.objects.bulk_create(AreaName(area=area, text=text, lang=lang) for text, lang in sorted(row.names - set(had)))
        return True

    def make(self, named: NamedArea) -> Area:
        """An area that places name and nobody knew, at the middle of those places."""
        lat, lng = named.middle()
        self._report.areas_made.append(named.name)
        return Area.objects.create(slug=self._slugs.give(named.name), status=self._status, name=named.name, lat=lat, lng=lng, source=named.source)


class Locator:
    """Which area a place is in: the one its row names; else the smallest outline around it; else the one hinted at; else the nearest middle
    of an area without an outline, within 1.5 km.
    """

    def __init__(self) -> None:
        areas = list(Area.objects.exclude(status=Status.WITHDRAWN).order_by("slug"))
        self._names = {
            fold(text): pk for pk, text in AreaName.objects.exclude(area__status=Status.WITHDRAWN).order_by("-area__slug").values_list("area", "text")
        }
        self._names |= {fold(area.name): area.pk for area in reversed(areas)}
        outlined = sorted(((shape(area.outline), area.pk) for area in areas if area.outline), key=lambda pair: pair[0].area)
        self._outline_areas = [pk for _, pk in outlined]
        self._tree = shapely.STRtree([outline for outline, _ in outlined])
        middles = [area for area in areas if not area.outline and area.lat is not None]
        self._middle_areas = [area.pk for area in middles]
        self._middles = np.array([[area.lat, area.lng] for area in middles], dtype=float).reshape(-1, 2)

    def named(self, name: str) -> int | None:
        return self._names.get(fold(name)) if name else None

    def find(self, row: PlaceRow) -> int | None:
        """The area's primary key, or None."""
        if row.area or row.lat is None or row.lng is None:
            return self.named(row.area)
        return self._around(row.lat, row.lng) or self.named(row.area_hint) or self._nearest(row.lat, row.lng)

    def _around(self, lat: float, lng: float) -> int | None:
        hits = self._tree.query(Point(lng, lat), predicate="intersects")
        return self._outline_areas[int(hits.min())] if len(hits) else None

    def _nearest(self, lat: float, lng: float) -> int | None:
        if not self._middle_areas:
            return None
        offsets = (self._middles - [lat, lng]) * [METRES_PER_DEGREE, METRES_PER_DEGREE * math.cos(math.radians(lat))]
        distances = np.hypot(offsets[:, 0], offsets[:, 1])
        nearest = int(distances.argmin())
        return self._middle_areas[nearest] if distances[nearest] <= NEAREST_M else None
