"""A file that cannot be taken as a whole: a clear message with the place in the file, and the database as it was."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import Workbook

from places.importers.rows import MIB, ImportRefused
from places.importers.run import import_places
from places.models import Area, Place, Tag
from tests.places.importers.files import HEADING, LAT, LNG, TOWN, collection, feature, line

pytestmark = pytest.mark.django_db
THREE = [feature(number) for number in (1, 2, 3)]
HTML = b"<!DOCTYPE html><html><body>Not found</body></html>"


def book(*rows: list, heading: str = HEADING) -> bytes:
    made, kept = Workbook(), BytesIO()
    made.active.append(heading.split(","))
    for row in rows:
        made.active.append(row)
    made.save(kept)
    return kept.getvalue()


def cells(number: int, lat: float = LAT, lng: float = LNG) -> list:
    return [number, f"Place {number}", "cafe", "Old Town", lat, lng, "wifi", "cheap", "01539 44000"]


def csv(*lines: str, heading: str = HEADING) -> bytes:
    return ("\n".join([heading, *lines]) + "\n").encode()


WHOLE = {"geojson": collection(*THREE).encode(), "csv": csv(line(1), line(2), line(3)), "xlsx": book(cells(1), cells(2), cells(3))}
LONG = "x" * (5 * MIB)

REFUSED = {
    "an empty file": ("geojson", b"", "the file is empty"),
    "an empty table": ("csv", b"", "the file is empty"),
    "an empty workbook file": ("xlsx", b"", "the file is empty"),
    "a file of blanks": ("csv", b" \r\n\r\n", "the file is empty"),
    "no features": ("geojson", collection().encode(), "the file holds no rows"),
    "a heading alone": ("csv", csv(), "the file holds no rows"),
    "a workbook's heading alone": ("xlsx", book(), "the file holds no rows"),
    "a truncated collection": ("geojson", WHOLE["geojson"][:-60], "the file ends after feature 2, at byte 427"),
    "a collection without its last brace": ("geojson", WHOLE["geojson"][:-1], "the file ends after feature 3"),
    "a truncated line": ("csv", WHOLE["csv"][:-40], "the file ends in the middle of line 4, after 4 of 9 values"),
    "a truncated quoted value": ("csv", csv('1,"Place', "1,cafe"), "the file ends inside the quoted value that begins in line 2"),
    "a truncated workbook": ("xlsx", WHOLE["xlsx"][:-400], "the workbook cannot be read (File is not a zip file)"),
    "a web page as GeoJSON": ("geojson", HTML, "line 1 begins with '<!DOCTYPE html><html'"),
    "a web page as a table": ("csv", HTML, "line 1 begins with '<!DOCTYPE html><html'"),
    "a web page as a workbook": ("xlsx", HTML, "line 1 begins with '<!DOCTYPE html><html'"),
    "Latin-1 in GeoJSON": ("geojson", collection(*THREE).replace("Place 2", "Caf\xe9").encode("latin-1"), "after feature 1"),
    "Latin-1 in a table": ("csv", csv(line(1), line(2)).replace(b"Place 2", b"Caf\xe9"), "line 3, byte 6: the file is not UTF-8"),
    "Latin-1 named as a workbook": ("xlsx", csv(line(1)).replace(b"Place 1", b"Caf\xe9"), "the file is named as a workbook, and byte 1 is not that of one"),
    "UTF-16": ("csv", csv(line(1)).decode().encode("utf-16"), "the file is not UTF-8 text at its start"),
    "swapped coordinates": ("geojson", collection(*(feature(n, LNG, LAT) for n in (1, 2))).encode(), "2 of 2 points lie outside Lindenmere until lat and lng"),
    "swapped columns": ("csv", csv(line(1, LNG, LAT), line(2)[:0] + line(2, LNG, LAT), line(3)), "2 of 3 points lie outside Lindenmere until lat and lng"),
    "swapped columns of a workbook": ("xlsx", book(cells(1, LNG, LAT)), "1 of 1 points lie outside Lindenmere until lat and lng"),
    "a value of 5 MB in a feature": ("geojson", collection(THREE[0], feature(2, description=LONG)).encode(), "a value before byte"),
    "a value of 5 MB with quotes in it": ("geojson", collection(THREE[0], feature(2, description='"x' * MIB)).encode(), "feature 2: the value of 'description' is longer"),
    "a value of 5 MB in a table": ("csv", csv(line(1), line(2) + LONG), "line 3 has a value of more than 1 MiB"),
    "a line of 9 MB": ("csv", csv(line(1), line(2) + LONG + LONG), "line 3 has a value of more than 1 MiB"),
    "a repeated id": ("geojson", collection(*THREE, THREE[1]).encode(), "feature 4 has the id 'n2', which feature 2 has too"),
    "a repeated id in a table": ("csv", csv(line(1), line(2), line(1)), "line 4 has the id '1', which line 2 has too"),
    "a repeated id in a workbook": ("xlsx", book(cells(1), cells(1)), "row 3 has the id '1', which row 2 has too"),
    "mostly bad features": ("geojson", collection(THREE[0], {"type": "Feature"}, feature(3, name="")| {"properties": {}}).encode(), "2 of 3 rows cannot be taken (feature 2: it has no properties"),
    "mostly bad lines": ("csv", csv(line(1), "2,,,,,,,,", "3"), "2 of 3 rows cannot be taken (line 3: it has no name; line 4: it has 1 values, and the heading has 9)"),
    "another coordinate system": ("geojson", collection(*THREE, crs={"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}).encode(), "export the file in WGS 84"),
    "metres for degrees": ("geojson", collection(*(feature(n, 7_240_000.0, -329_000.0) for n in (1, 2))).encode(), "is not on the earth; lat and lng are degrees"),
    "one feature alone": ("geojson", json.dumps(feature(1)).encode(), "this is JSON of the type 'Feature', not a GeoJSON FeatureCollection"),
    "a list": ("geojson", b"[1, 2]", "not a GeoJSON FeatureCollection"),
    "features one a line": ("geojson", b"\n".join(json.dumps(one).encode() for one in THREE), "the file stops being JSON at its start"),
    "broken JSON": ("geojson", WHOLE["geojson"].replace(b'"Place 3"', b"Place 3"), "the file stops being JSON after feature 2"),
    "no name among the columns": ("csv", csv("1,2", heading="id,title"), "line 1 must name the columns"),
    "no position among the columns": ("xlsx", book([1], heading="id,name"), "line 1 must name the columns"),
    "a column named twice": ("csv", csv("a,b,1,2", heading="name,name,lat,lng"), "line 1 names the column 'name' twice"),
    "a quote in the middle": ("csv", csv(line(1), '2,"Place"2,cafe,,,,,,'), "line 3 is no CSV"),
    "a workbook that is no workbook": ("xlsx", b"PK\x03\x04" + b"\0" * 200, "the workbook cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("kind, content, said", REFUSED.values(), ids=REFUSED.keys())
def test_a_file_that_is_not_sound_is_refused_with_its_place_and_changes_nothing(kind: str, content: bytes, said: str, tmp_path: Path):
    path = tmp_path / f"places.{kind}"
    path.write_bytes(content)
    with pytest.raises(ImportRefused) as refusal:
        import_places(path, TOWN)
    assert said in str(refusal.value)
    assert (Place.objects.count(), Area.objects.count(), Tag.objects.count()) == (0, 0, 0)


@pytest.mark.parametrize("kind", WHOLE)
def test_the_sound_file_of_each_kind_is_taken(kind: str, tmp_path: Path):
    path = tmp_path / f"places.{kind}"
    path.write_bytes(WHOLE[kind])
    assert import_places(path, TOWN).new == 3


def test_a_file_that_is_missing_is_refused(tmp_path: Path):
    with pytest.raises(ImportRefused, match="the file cannot be opened: No such file"):
        import_places(tmp_path / "none.csv", TOWN)


@pytest.mark.parametrize("cut", range(1, len(WHOLE["geojson"]), 7))
def test_a_collection_cut_anywhere_is_refused(cut: int, tmp_path: Path):
    path = tmp_path / "places.geojson"
    path.write_bytes(WHOLE["geojson"][:cut])
    with pytest.raises(ImportRefused):
        import_places(path, TOWN)


@pytest.mark.parametrize("cut", [1, 30, 400, 2000, 4000])
def test_a_workbook_cut_anywhere_is_refused(cut: int, tmp_path: Path):
    path = tmp_path / "places.xlsx"
    path.write_bytes(WHOLE["xlsx"][:cut])
    with pytest.raises(ImportRefused):
        import_places(path, TOWN)
