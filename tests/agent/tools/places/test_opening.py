"""Many places at once have the states that each has alone."""

import random
from datetime import timedelta
from pathlib import Path

import pytest

from agent.snapshot.schema import Hours, Interval
from agent.snapshot.store import Store
from agent.tools.places.opening import opening_of, states_of
from agent.tools.registry import Bench
from agent.types import Anchor, Budget, Window
from tests.engine import TOWN
from tests.rows import NOW, build, place

TODAY = NOW.date().toordinal()


def hours(dice: random.Random) -> Hours:
    """A week of up to eight spans, some past its end or not certain, with up to four dates that are otherwise."""

    def span(most: int) -> Interval:
        opens = dice.randrange(most)
        return Interval(opens, opens + dice.choice((30, 240, 600, 2000, 10_080)), dice.choice(("open", "open", "open", "unknown")))

    week = tuple(span(10_080) for _ in range(dice.randrange(9)))
    days = {TODAY + dice.randrange(-2, 10): tuple(span(1440) for _ in range(dice.randrange(3))) for _ in range(dice.randrange(5))}
    return Hours(week, days, known=dice.random() < 0.9)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder: Path = tmp_path_factory.mktemp("town")
    dice = random.Random(5)
    build(folder, places=[place(f"p-{number}", hours=hours(dice)) for number in range(150)])
    return Bench(Store(folder).handle(), TOWN, NOW.astimezone(TOWN.timezone), Budget(), 1, Anchor("city", TOWN.name))


@pytest.mark.parametrize("hour", [0, 3, 11, 23])
@pytest.mark.parametrize("length", [timedelta(minutes=1), timedelta(hours=5), timedelta(days=3)])
@pytest.mark.parametrize("days", [0, 6, 150, 399])  # the last is past what the snapshot's hours were expanded for
def test_states_of_many_places_are_those_of_each(bench: Bench, hour: int, length: timedelta, days: int) -> None:
    start = bench.now.replace(hour=hour) + timedelta(days=days)
    when = Window(start, start + length)
    places = range(1, 151)
    assert states_of(bench, places, when) == [opening_of(bench, number, when).state for number in places]


def test_the_places_of_the_test_are_of_all_three_states(bench: Bench) -> None:
    when = Window(bench.now, bench.now + timedelta(minutes=1))
    assert set(states_of(bench, range(1, 151), when)) == {"open", "closed", "unknown"}
