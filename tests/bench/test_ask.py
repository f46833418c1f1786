import random
from collections import Counter
from pathlib import Path

from tests.bench.ask import MIX, Questions, measure, misspelt
from tests.engine import engine
from tests.rows import area, place


def town(folder: Path):
    places = [place(f"grey-{number}-house", category=("cafe", "museum")[number % 2], lat=54.4 + number / 1e5) for number in range(200)]
    return engine(folder, places=places, areas=[area("old-town")])


def test_a_round_asks_sixty_questions_of_every_kind_the_same_for_the_same_seed(tmp_path: Path) -> None:
    deps = town(tmp_path)
    first, again = (list(Questions(deps, random.Random(1)).round()) for _ in range(2))
    assert first == again
    assert Counter(kind for kind, _ in first) == MIX
    assert len(first) == 60


def test_a_name_is_misspelt_by_one_typo() -> None:
    assert {misspelt("fox", random.Random(seed)) for seed in range(20)} == {"fxo", "fx", "foox"}


def test_every_answer_of_a_round_is_counted_and_none_is_cut_short(tmp_path: Path) -> None:
    found = measure(town(tmp_path), 1, 1)
    assert found["questions"] == sum(found["outcomes"].values()) == 60
    assert "too slow" not in found["outcomes"]
    assert set(found["cpu_ms"]) == {*MIX, "all"}
