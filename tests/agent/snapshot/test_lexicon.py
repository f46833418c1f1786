"""Names with typos are found as reading every name finds them."""

import random
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from rapidfuzz.distance import DamerauLevenshtein

from agent.snapshot.lexicon import Lexicon
from agent.snapshot.names import apart, fold
from agent.snapshot.store import Store
from tests.rows import build, place

WORDS = "amber anchor bell bridge castle copper fox green harbour heron kettle lantern market mill old orchard quay river silver tower".split()
NAMES = [" ".join(random.Random(number).choices(WORDS, k=1 + number % 4)).title() for number in range(400)]


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    folder: Path = tmp_path_factory.mktemp("town")
    build(folder, places=[place(f"p-{number:03}", name=name) for number, name in enumerate(NAMES)])
    return Lexicon(Store(folder).handle().anchors)


def misspelt(name: str, times: int, dice: random.Random) -> str:
    for _ in range(times):
        at = dice.randrange(len(name) - 1)
        name = dice.choice((
            name[:at] + name[at + 1] + name[at] + name[at + 2 :], name[:at] + name[at + 1 :], name[:at] + dice.choice("aeqz") + name[at:],
            name[:at] + dice.choice("aeqz") + name[at + 1 :],
        ))  # fmt: skip
    return name


@pytest.mark.parametrize("seed", range(60))
def test_every_name_within_its_typos_is_found_and_no_other(lexicon: Lexicon, seed: int) -> None:
    dice = random.Random(seed)
    name = fold(dice.choice(NAMES))
    most = (len(name) + 1) // 6
    asked = misspelt(name, dice.randint(0, most), dice)
    allowed = (len(asked) + 1) // 6
    far = {number: DamerauLevenshtein.distance(asked, fold(other)) for number, other in enumerate(NAMES, start=1)}
    wanted = {(number, typos) for number, typos in far.items() if typos <= allowed} if allowed else set()
    assert {(one.ref, one.typos) for one in lexicon.close(asked, ("place",))} == wanted


def test_all_that_bear_the_name_are_found(lexicon: Lexicon) -> None:
    twice = next(name for name in NAMES if NAMES.count(name) == 2 and len(name) > 10)
    found = lexicon.close(fold(twice)[:-1], ("place",))
    assert [one.text for one in found if one.typos == 1 and one.text == twice] == [twice, twice]


def test_the_cheapest_places_that_lie_apart_are_chosen_and_as_many_as_fit() -> None:
    dice = random.Random(1)
    for size in range(1, 12):
        costs = [dice.randrange(20) for _ in range(size)]
        fitting = [places for many in (0, 1, 2, 3) for places in combinations(range(size), many) if all(b - a >= 4 for a, b in pairwise(places))]
        best = min((-len(places), sum(costs[at] for at in places)) for places in fitting)
        chosen = apart(costs, 3)
        assert tuple(chosen) in fitting
        assert (-len(chosen), sum(costs[at] for at in chosen)) == best
