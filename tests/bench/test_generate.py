"""The generator gives files that the importers take, the same for the same seed."""

import csv
import json

import pytest
from django.conf import settings

from agent.types import Point
from places.hours import problem
from places.importers.run import import_places
from places.models import Place
from tests.bench.generate import HOURS, SCORES, TAGS, generate


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_seed_gives_the_same_bytes_and_another_seed_others(tmp_path):
    hashes = [generate(tmp_path / name, 50, 0, seed) for name, seed in (("a.csv", 1), ("b.csv", 1), ("c.csv", 2))]
    assert hashes[0] == hashes[1] != hashes[2]


def test_the_places_are_as_many_as_asked_for_with_five_tags_and_eight_scores_inside_the_town(tmp_path):
    generate(tmp_path / "places.csv", 200, 0, 1)
    found = rows(tmp_path / "places.csv")
    assert len(found) == 200
    assert {len(set(row["tags"].split(";"))) for row in found} == {5}
    assert all(row[f"score_{score}"] for row in found for score in SCORES)
    assert all(settings.TOWN.bbox.holds(Point(float(row["lat"]), float(row["lng"]))) for row in found)


def test_there_are_five_hundred_tags_and_hours_that_all_parse():
    assert len(set(TAGS)) == 500
    assert [text for text in HOURS if problem(text, settings.TOWN)] == []


def test_a_tenth_of_the_events_repeats(tmp_path):
    generate(tmp_path / "events.csv", 0, 1000, 1)
    assert 60 < sum(1 for row in rows(tmp_path / "events.csv") if row["rrule"]) < 140


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"places\.txt must end in"):
        generate(tmp_path / "places.txt", 1, 0, 1)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["places.csv", "places.geojson"])
def test_the_importers_take_every_row(tmp_path, name):
    path = tmp_path / name
    generate(path, 60, 0, 1)
    report = import_places(path, settings.TOWN, status="published")
    assert (report.as_json()["new"], report.as_json()["refused"]) == (60, 0)
    assert Place.objects.count() == 60


def test_a_feature_is_a_point_with_osm_tags(tmp_path):
    generate(tmp_path / "places.geojson", 2, 0, 1)
    first, second = json.loads((tmp_path / "places.geojson").read_text(encoding="utf-8"))["features"]
    assert (first["id"], second["id"], first["geometry"]["type"]) == ("node/0", "node/1", "Point")
