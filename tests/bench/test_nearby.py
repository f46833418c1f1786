import random
from pathlib import Path

from agent.snapshot.store import Store
from tests.bench.nearby import measure
from tests.rows import build, place, score


def test_the_bench_measures_both_sides(tmp_path: Path) -> None:
    dice = random.Random(3)
    build(
        tmp_path,
        places=[
            place(f"cafe-{number}", category=dice.choice(["cafe", "museum"]), lat=54.4 + dice.gauss(0, 0.02), lng=-2.96 + dice.gauss(0, 0.03),
                  scores=(score("quiet", dice.randrange(101) / 10),)) for number in range(300)],
    )  # fmt: skip
    found = measure(Store(tmp_path, statement_s=5).handle(), 500, block_s=0.001)
    assert found["least"] <= found["median"] <= found["greatest"]
    assert found["itself"] > 0
    assert found["tool_to_its_rows"] > 0
