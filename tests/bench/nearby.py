"""G-R1: near + tag + best score, five rows, against five seeks by row id: `python tests/bench/nearby.py SNAPSHOT_FOLDER`.

Both sides run in one process in blocks of at least 100 ms of CPU time, seven pairs A B A B; the ratio is taken pair by pair. It opens with the seeks
against themselves: outside 0.9 to 1.1 the machine is noisy, and that is said.
"""

import json
import math
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from agent.snapshot.reader import Belt
from agent.snapshot.schema import CELL_DEGREES, CELL_ROW, cell_of
from agent.snapshot.store import Store

METRES = 111_195.0  # of a degree of latitude
RADIUS_M = 500.0
PAIRS, BLOCK_S = 7, 0.1

# The rows of a circle's box of cells begin at :starts and are :wide cells wide. Distances are compared in squared degrees of latitude.
NEAR = """
SELECT c.place, (c.lat - :lat) * (c.lat - :lat) + (c.lng - :lng) * (c.lng - :lng) * :squeeze AS apart
FROM json_each(:starts) AS start CROSS JOIN tag_cell AS c ON c.tag = :tag AND c.cell BETWEEN start.value AND start.value + :wide
WHERE apart <= :reach ORDER BY substr(c.scores, :kind, 1) DESC, apart, c.place LIMIT 5
"""
SEEK = "SELECT name FROM place WHERE id = ?"


def circle(lat: float, lng: float, radius_m: float) -> dict[str, object]:
    """The parameters of NEAR that say where: degrees in, cells and squared degrees out."""
    tall = radius_m / METRES
    broad = tall / math.cos(math.radians(lat))
    south, north = cell_of(lat - tall, lng - broad), cell_of(lat + tall, lng - broad)
    wide = int((lng + broad + 180) / CELL_DEGREES) - int((lng - broad + 180) / CELL_DEGREES)
    starts = json.dumps(list(range(south, north + 1, CELL_ROW)))
    return {"lat": lat, "lng": lng, "squeeze": math.cos(math.radians(lat)) ** 2, "reach": tall**2, "starts": starts, "wide": wide}


def block(work: Callable[[], object], block_s: float) -> float:
    """CPU seconds of one piece of work, over a block that is long enough to be measured."""
    done, began = 0, time.process_time()
    while time.process_time() - began < block_s:
        for _ in range(50):
            work()
        done += 50
    return (time.process_time() - began) / done


def pairs(work: Callable[[], object], base: Callable[[], object], block_s: float) -> list[float]:
    return [block(work, block_s) / block(base, block_s) for _ in range(PAIRS)]


def measure(belt: Belt, radius_m: float, block_s: float = BLOCK_S) -> dict[str, float]:
    """The median, least and greatest ratio, and the base's against itself."""
    dice = random.Random(1)
    points = [(row["lat"], row["lng"]) for row in belt.rows("SELECT lat, lng FROM place WHERE lat IS NOT NULL AND id % 97 = 1 LIMIT 500")]
    tags = [row["id"] for row in belt.rows("SELECT id FROM tag WHERE places > 0")]
    asked = [circle(*dice.choice(points), radius_m) | {"tag": dice.choice(tags), "kind": 1} for _ in range(500)]
    last = belt.rows("SELECT max(id) AS last FROM place")[0]["last"]
    sought = [dice.randint(1, last) for _ in range(2500)]

    def near() -> None:
        belt.rows(NEAR, dice.choice(asked))

    def seeks() -> None:
        for _ in range(5):
            belt.rows(SEEK, (dice.choice(sought),))

    itself, ratios = pairs(seeks, seeks, block_s), pairs(near, seeks, block_s)
    return {"median": statistics.median(ratios), "least": min(ratios), "greatest": max(ratios), "itself": statistics.median(itself)}


def main() -> None:
    snapshot = Store(Path(sys.argv[1]), statement_s=5).handle()
    for radius_m in (RADIUS_M, 800.0, 1500.0):
        found = measure(snapshot.places, radius_m)
        noise = "" if 0.9 <= found["itself"] <= 1.1 else " (noisy)"
        print(json.dumps({"goal": "G-R1", "places": snapshot.manifest.counts["place"], "radius_m": radius_m, **found}) + noise)  # noqa: T201


if __name__ == "__main__":
    main()
