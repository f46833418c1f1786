"""The command `import_places`: what it prints, how it ends, and the real files."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from agent.types import Box, Point, Town
from places.models import Area, Place, Status
from tests.places.importers.files import LAT, LNG, feature, geojson, line, table

REAL = Path(settings.BASE_DIR).parent / "shared" / "data" / "places"
real = pytest.mark.skipif(not REAL.is_dir(), reason="the shared data is not here")


def run(path: Path, *options: str) -> str:
    out = StringIO()
    call_command("import_places", str(path), *options, stdout=out)
    return out.getvalue()


def town(south: float, west: float, north: float, east: float) -> Town:
    middle = Point((south + north) / 2, (west + east) / 2)
    return Town("Elsewhere", settings.TOWN.timezone, middle, Box(south, west, north, east))


@pytest.mark.django_db
def test_the_report_says_what_is_new_and_why_a_row_is_refused(tmp_path):
    path = table(tmp_path, line(1), line(2), line(3) + ",more", "4,,cafe,,,,,,")
    assert run(path).splitlines() == [
        "places.csv: 2 new, 0 changed, 0 same, 2 refused",
        "Area 'Old Town' was not known and was made, at the middle of its places.",
        "Refused:",
        "  line 4 (3): it has 10 values, and the heading has 9",
        "  line 5 (4): it has no name",
    ]


@pytest.mark.django_db
def test_the_report_as_json_holds_every_count_and_list(tmp_path):
    path = geojson(tmp_path, feature(1), feature(2), feature(3) | {"geometry": None})
    assert json.loads(run(path, "--json", "--dry-run")) == {
        "file": "town.geojson",
        "dry_run": True,
        "new": 2,
        "changed": 0,
        "same": 0,
        "refused": 1,
        "rows_refused": [{"where": "feature 3", "id": "n3", "reason": "it has no geometry"}],
        "kept": [],
        "notes": [],
        "columns_left": [],
        "areas_made": [],
    }
    assert Place.objects.count() == 0


@pytest.mark.django_db
def test_published_is_accepted_at_once(tmp_path):
    run(table(tmp_path, line(1)), "--status", "published")
    assert (Place.objects.get().status, Area.objects.get().status) == (Status.PUBLISHED, Status.PUBLISHED)


@pytest.mark.django_db
def test_the_kind_of_file_may_be_given_where_its_name_misleads(tmp_path):
    path = table(tmp_path, line(1)).rename(tmp_path / "places.xlsx")
    with pytest.raises(CommandError, match="named as a workbook"):
        run(path)
    assert run(path, "--format", "csv").startswith("places.xlsx: 1 new")


@pytest.mark.django_db
def test_a_refused_file_names_itself_and_the_reason(tmp_path):
    path = table(tmp_path, line(1), line(1))
    with pytest.raises(CommandError) as refusal:
        run(path)
    assert str(refusal.value) == "places.csv was not imported: line 3 has the id '1', which line 2 has too; ids must differ."
    assert refusal.value.returncode == 1


@pytest.mark.slow
def test_in_a_process_of_its_own_a_refused_file_ends_with_exit_1_and_one_line(tmp_path):
    path = tmp_path / "page.geojson"
    path.write_text("<html>Not found</html>", encoding="utf-8")
    environment = {**os.environ, "ASKSMALL_DATA_DIR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "asksmall.settings"}
    done = subprocess.run(
        [sys.executable, "manage.py", "import_places", path], cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False
    )
    said = (
        "CommandError: page.geojson was not imported: line 1 begins with '<html>Not found</htm': this is a web page or XML, not a table or GeoJSON."
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (1, "", said)


@real
@pytest.mark.django_db
def test_a_whole_small_town_is_accounted_for_and_again_changes_nothing(settings):
    settings.TOWN = town(43.70, 7.38, 43.77, 7.46)
    path = next(REAL.glob("*.geojson"))
    first = json.loads(run(path, "--json", "--status", "published"))
    assert (first["new"], first["refused"], first["new"] + first["refused"]) == (770, 2, 772)
    assert {row["reason"].partition(" is ")[2] for row in first["rows_refused"]} == {"the town itself or what lies around it, not a part of it"}
    again = json.loads(run(path, "--json", "--status", "published"))
    assert (again["new"], again["changed"], again["same"], again["refused"]) == (0, 0, 770, 2)
    assert (Place.objects.filter(status=Status.PUBLISHED).count(), Area.objects.count()) == (761, 9)


@real
@pytest.mark.django_db
def test_a_table_of_real_places_is_taken_whole_and_again_changes_nothing(settings):
    settings.TOWN = town(52.10, 0.0, 52.30, 0.32)
    path = next(REAL.glob("*.csv"))
    first, again = (json.loads(run(path, "--json", "--status", "published")) for _ in range(2))
    assert (first["new"], first["refused"], len(first["areas_made"])) == (222, 0, 5)
    assert (again["new"], again["changed"], again["same"], again["areas_made"]) == (0, 0, 222, [])


@real
@pytest.mark.django_db
def test_real_places_with_lat_and_lng_swapped_are_refused_as_a_file(settings, tmp_path):
    settings.TOWN = town(43.70, 7.38, 43.77, 7.46)
    collection = json.loads(next(REAL.glob("*.geojson")).read_text(encoding="utf-8"))
    for one in collection["features"]:
        one["geometry"]["coordinates"].reverse()
    path = tmp_path / "swapped.geojson"
    path.write_text(json.dumps(collection), encoding="utf-8")
    with pytest.raises(CommandError, match="points lie outside Elsewhere until lat and lng are swapped"):
        run(path)
    assert Place.objects.count() == 0


@pytest.mark.django_db
def test_the_towns_box_comes_from_the_settings(tmp_path, settings):
    settings.TOWN = town(LNG - 1, LAT - 1, LNG + 1, LAT + 1)
    with pytest.raises(CommandError, match="1 of 1 points lie outside Elsewhere"):
        run(geojson(tmp_path, feature(1)))
