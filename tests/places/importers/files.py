"""Small files for the importers' tests: all names are invented, all points lie in the tests' town."""

import json
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from agent.types import Town

TOWN = Town.read(Path(__file__).parents[3] / "town.toml")
LAT, LNG = 54.40, -2.96
HEADING = "id,name,category,area,lat,lng,tags,price,phone"


def feature(number: int = 1, lat: float = LAT, lng: float = LNG, *, geometry: dict[str, Any] | None = None, **properties: Any) -> dict[str, Any]:
    """A feature; an underscore pair in a property's name stands for the colon of OSM."""
    named = {key.replace("__", ":"): value for key, value in {"name": f"Place {number}", "amenity": "cafe", **properties}.items()}
    return {"type": "Feature", "id": f"n{number}", "geometry": geometry or {"type": "Point", "coordinates": [lng, lat]}, "properties": named}


def square(lat: float, lng: float, half: float) -> dict[str, Any]:
    """A square outline around a point, `half` degrees to each side."""
    ring = [[lng - half, lat - half], [lng + half, lat - half], [lng + half, lat + half], [lng - half, lat + half], [lng - half, lat - half]]
    return {"type": "Polygon", "coordinates": [ring]}


def collection(*features: dict[str, Any], **beside: Any) -> str:
    return json.dumps({"type": "FeatureCollection", **beside, "features": list(features)})


def geojson(folder: Path, *features: dict[str, Any], **beside: Any) -> Path:
    path = folder / "town.geojson"
    path.write_text(collection(*features, **beside), encoding="utf-8")
    return path


def line(number: int = 1, lat: object = LAT, lng: object = LNG) -> str:
    return f"{number},Place {number},cafe,Old Town,{lat},{lng},wifi,cheap,01539 44000{number}"


def table(folder: Path, *lines: str, heading: str = HEADING) -> Path:
    path = folder / "places.csv"
    path.write_text("\n".join([heading, *lines]) + "\n", encoding="utf-8")
    return path


def workbook(folder: Path, *rows: list[Any], heading: str = HEADING) -> Path:
    book = Workbook()
    book.active.append(heading.split(","))
    for row in rows:
        book.active.append(row)
    path = folder / "places.xlsx"
    book.save(path)
    return path
