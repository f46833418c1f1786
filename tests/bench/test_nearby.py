import math
import random
from pathlib import Path

from agent.snapshot.store import Store
from tests.bench.nearby import NEAR, circle, measure
from tests.rows import build, place, score


def town(folder: Path, count: int) -> Store:
    dice = random.Random(3)
    build(
        folder,
        places=[
            place(f"cafe-{number}", category=dice.choice(["cafe", "museum"]), lat=54.4 + dice.gauss(0, 0.02), lng=-2.96 + dice.gauss(0, 0.03),
                  scores=(score("quiet", dice.randrange(101) / 10),)) for number in range(count)],
    )  # fmt: skip
    return Store(folder, statement_s=5)


def test_the_grid_gives_the_five_best_of_a_circle_as_reading_every_place_does(tmp_path: Path) -> None:
    belt = town(tmp_path, 2000).handle().places
    query = (
        "SELECT p.id, p.lat, p.lng, s.value FROM place p JOIN place_tag t ON t.place = p.id JOIN tag ON tag.id = t.tag "
        "JOIN score s ON s.place = p.id WHERE tag.slug = 'cafe'"
    )
    every = belt.rows(query)
    tag = belt.rows("SELECT id FROM tag WHERE slug = 'cafe'")[0]["id"]
    for lat, lng in ((54.4, -2.96), (54.41, -2.93), (54.3999, -2.9601)):
        squeeze = math.cos(math.radians(lat)) ** 2
        apart = {row["id"]: (row["lat"] - lat) ** 2 + (row["lng"] - lng) ** 2 * squeeze for row in every}
        inside = [row for row in every if apart[row["id"]] <= (1200 / 111_195) ** 2]
        best = sorted(inside, key=lambda row: (-row["value"], apart[row["id"]], row["id"]))[:5]
        found = belt.rows(NEAR, circle(lat, lng, 1200) | {"tag": tag, "kind": 1})
        assert len(inside) > 20
        assert [row["place"] for row in found] == [row["id"] for row in best]


def test_the_bench_measures_both_sides(tmp_path: Path) -> None:
    found = measure(town(tmp_path, 300).handle().places, 500, block_s=0.001)
    assert found["least"] <= found["median"] <= found["greatest"]
    assert found["itself"] > 0
