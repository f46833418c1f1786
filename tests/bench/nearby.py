"""G-R1: near + tag + best score, five rows, against five seeks by row id: `python -m tests.bench.nearby SNAPSHOT_FOLDER`.

It runs the statements of the place tools themselves; G-R3 sets the tool's whole function, five told rows in all, against the reading of those five rows
with no search. Both sides run in one process in blocks of at least 100 ms of CPU time, seven pairs A B A B; the ratio is taken pair by pair. It opens
with the seeks against themselves: outside 0.9 to 1.1 the machine is noisy, and that is said.
"""

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from agent.snapshot.reader import Snapshot
from agent.snapshot.store import Store
from agent.tools.places import find_places
from agent.tools.places.rows import place_row
from agent.tools.places.search import within
from agent.tools.registry import Bench
from agent.types import Anchor, Box, Budget, Point, Tags, Town

RADIUS_M = 500.0
PAIRS, BLOCK_S = 7, 0.1
SEEK = "SELECT name FROM place WHERE id = ?"
TOWN = Town("Town", ZoneInfo("UTC"), Point(0, 0), Box(-90, -180, 90, 180))


def bench_at(snapshot: Snapshot, point: Point) -> Bench:
    """What a place tool works with when a question looks from a point."""
    return Bench(snapshot, TOWN, datetime(2026, 12, 4, 12, tzinfo=UTC), Budget(), 1, Anchor("session", "you", point))


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


def measure(snapshot: Snapshot, radius_m: float, block_s: float = BLOCK_S) -> dict[str, float]:
    """Ratios to five seeks: the tools' search (median, least and greatest), the base itself; and the whole tool to its five rows."""
    dice, belt = random.Random(1), snapshot.places
    points = [Point(row["lat"], row["lng"]) for row in belt.rows("SELECT lat, lng FROM place WHERE lat IS NOT NULL AND id % 97 = 1 LIMIT 500")]
    tags = [row["id"] for row in belt.rows("SELECT id FROM tag WHERE places > 0")]
    score = belt.rows("SELECT name FROM score_kind WHERE id = 1")[0]["name"]
    asked = [(bench_at(snapshot, dice.choice(points)), Tags(((dice.choice(tags),),), scores=(score,))) for _ in range(500)]
    last = belt.rows("SELECT max(id) AS last FROM place")[0]["last"]
    sought = [dice.randint(1, last) for _ in range(2500)]

    def near() -> None:
        bench, keywords = dice.choice(asked)
        assert bench.anchor.point
        within(bench, keywords, bench.anchor.point, radius_m, 1, 5)

    def seeks() -> None:
        for _ in range(5):
            belt.rows(SEEK, (dice.choice(sought),))

    def whole() -> None:
        find_places(*dice.choice(asked))

    def told() -> None:
        bench, keywords = dice.choice(asked)
        for number in range(5):
            place_row(bench, number, dice.choice(sought), None, keywords)

    itself, ratios, functions = pairs(seeks, seeks, block_s), pairs(near, seeks, block_s), pairs(whole, told, block_s)
    return {
        "median": statistics.median(ratios),
        "least": min(ratios),
        "greatest": max(ratios),
        "itself": statistics.median(itself),
        "tool_to_its_rows": statistics.median(functions),
    }


def main() -> None:
    snapshot = Store(Path(sys.argv[1]), statement_s=5).handle()
    for radius_m in (RADIUS_M, 800.0, 1500.0):
        found = measure(snapshot, radius_m)
        noise = "" if 0.9 <= found["itself"] <= 1.1 else " (noisy)"
        print(json.dumps({"goal": "G-R1", "places": snapshot.manifest.counts["place"], "radius_m": radius_m, **found}) + noise)  # noqa: T201


if __name__ == "__main__":
    main()
