import pytest

from agent.snapshot.reader import Snapshot
from agent.tools.registry import Bench
from agent.types import Budget
from tests.agent.tools.festivals.programme import CITY, opened, programme
from tests.clock import NOW
from tests.engine import TOWN
from tests.rows import festival, tag


@pytest.fixture(scope="package")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    tags = [tag("food"), tag("cafe", parent="food"), tag("restaurant", parent="food"), tag("museum"), tag("wifi"), tag("music", kind="topic"),
            tag("jazz", kind="topic", parent="music"), tag("quiz", kind="topic"), tag("craft", kind="topic"), tag("light", kind="topic")]  # fmt: skip
    festivals = [
        festival(
            "lantern-week", name="Lantern Week", tags=("light",), marks="the darkest days", tickets="free, no tickets", organiser="The Lamplighters"
        ),
        festival("summer-folk", name="Summer Folk", tags=("music",)),
        festival("film-days", name="Film Days"),
        festival("kite-day", name="Kite Day", state="cancelled"),
    ]
    return opened(tmp_path_factory.mktemp("programme"), tags=tags, festivals=festivals, events=programme())


@pytest.fixture(scope="package")
def bench(snapshot: Snapshot) -> Bench:
    return Bench(snapshot, TOWN, NOW, Budget(), 1, CITY)
