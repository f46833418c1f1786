"""Points and outlines out of GeoJSON geometries (RFC 7946), with shapely."""

import math
from collections.abc import Mapping
from typing import Any

import shapely
from shapely.errors import ShapelyError
from shapely.geometry import mapping, shape
from shapely.geometry.base import BaseGeometry

from places.importers.rows import BadRow

OUTLINE_GRID = 0.00001  # degrees, about a metre: finer corners than that are not kept


def read(geometry: Any) -> BaseGeometry:
    """The geometry, whole and finite. Raises BadRow."""
    if not isinstance(geometry, Mapping) or not geometry.get("type"):
        raise BadRow("it has no geometry")
    try:
        made = shape(geometry)
        bounds = made.bounds
    except (ShapelyError, ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise BadRow(f"its geometry cannot be read ({str(error)[:80]})") from error
    if made.is_empty:
        raise BadRow("its geometry is empty")
    if not all(math.isfinite(bound) for bound in bounds):
        raise BadRow("its coordinates are no finite numbers of degrees")
    return made


def point_of(geometry: BaseGeometry) -> tuple[float, float]:
    """Latitude and longitude of a point on the geometry: its own, or one that surely lies on it."""
    if geometry.geom_type == "LineString":
        point = geometry.interpolate(0.5, normalized=True)
    else:
        point = geometry if geometry.geom_type == "Point" else shapely.make_valid(geometry).representative_point()
    return round(point.y, 7), round(point.x, 7)


def outline_of(geometry: BaseGeometry) -> Mapping[str, Any] | None:
    """The outline as a GeoJSON geometry, or None for what encloses nothing."""
    if geometry.geom_type not in {"Polygon", "MultiPolygon"}:
        return None
    valid = shapely.make_valid(geometry)
    if valid.geom_type not in {"Polygon", "MultiPolygon"}:
        return None
    return _plain(mapping(shapely.set_precision(valid, OUTLINE_GRID)))


def _plain(value: Any) -> Any:
    """Lists for tuples, so that what is kept equals what is read back from JSON."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
