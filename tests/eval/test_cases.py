"""The evaluation over whole towns: the demo town with the project's own cases, and real towns where their data is at hand."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"
NOW = "2026-12-04T18:30:00"
MONACO = 'name = "Monaco"\ntimezone = "Europe/Monaco"\ncentre = [43.7384, 7.4246]\nbbox = [43.70, 7.38, 43.77, 7.46]\nlanguages = ["en", "fr"]\ncountry = "MC"\n'
CAMBRIDGE = (
    'name = "Cambridge"\ntimezone = "Europe/London"\ncentre = [52.2053, 0.1218]\nbbox = [52.1, 0.0, 52.3, 0.3]\nlanguages = ["en"]\ncountry = "GB"\n'
)

needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="the shared data is not here")


class Install:
    """An install of its own in a folder: its data, its town, its commands."""

    def __init__(self, folder: Path, town: str = "") -> None:
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("ASKSMALL_") and name != "DATABASE_URL"}
        self.environment["ASKSMALL_DATA_DIR"] = str(folder / "var")
        if town:
            (folder / "town.toml").write_text(town, encoding="utf-8")
            self.environment["ASKSMALL_TOWN"] = str(folder / "town.toml")
        self.manage("migrate", "--verbosity", "0")

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments], capture_output=True, text=True, env=self.environment, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def evaluate(self, cases: Path) -> dict:
        return json.loads(self.manage("evaluate", str(cases), "--json"))


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    install = Install(tmp_path_factory.mktemp("demo"))
    install.manage("load_demo", "--now", NOW)
    install.manage("publish", "--now", NOW)
    return install


@pytest.mark.slow
@pytest.mark.parametrize("cases", sorted((ROOT / "tests" / "eval").glob("own_*.jsonl")), ids=lambda path: path.stem)
def test_the_demo_town_answers_its_own_cases(demo, cases):
    result = demo.evaluate(cases)
    assert result["cases"] >= 40
    assert result["score"] >= 0.97, result["misses"]


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize(
    ("town", "places", "cases", "least"),
    [(MONACO, "monaco.places.geojson", "monaco_cases.jsonl", 0.98), (CAMBRIDGE, "cambridge.csv", "cambridge_cases.jsonl", 0.93)],
    ids=["monaco", "cambridge"],
)
def test_a_real_town_answers_its_cases(tmp_path, town, places, cases, least):
    """The cases of kind `off` are left out: what is no question about a town is refused at a door that is not built yet."""
    install = Install(tmp_path, town)
    install.manage("import_places", str(SHARED / "places" / places), "--status", "published")
    install.manage("publish")
    result = install.evaluate(SHARED / "questions" / cases)
    off = result["kinds"].get("off", [0, 0])
    assert (result["passed"] - off[0]) / (result["cases"] - off[1]) >= least, result["misses"]
