import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from agent.management.commands.rules import OUTCOMES

ROOT = Path(__file__).resolve().parents[3]
PAGE = """# Rules

- A-01 The first rule,
  on two lines.
- A-02 The second rule.

Some words.
"""
TESTS = """
import pytest

pytestmark = pytest.mark.filterwarnings("error")

@pytest.mark.rule("A-01", "A-02")
@pytest.mark.parametrize("n", [1, 2])
def test_cases(n):
    assert n < LIMIT

@pytest.mark.rule("A-02")
class TestTogether:
    def test_inside(self):
        pass

def test_without_a_rule():
    pass
"""


CASES = "tests/test_it.py::test_cases"
INSIDE = "tests/test_it.py::TestTogether::test_inside"


@pytest.fixture
def project(tmp_path: Path, settings) -> Path:
    """A small project with two rules, whose tests never ran."""
    settings.BASE_DIR = tmp_path
    for name, text in {"docs/rules.md": PAGE, "tests/test_it.py": TESTS, "pytest.ini": "[pytest]\nmarkers = rule(*ids)\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def keep(project: Path, **outcomes: str) -> None:
    """Keep outcomes as a run does."""
    file = project / OUTCOMES
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({CASES: outcomes["cases"], INSIDE: outcomes["inside"]}), encoding="utf-8")


def run_tests(project: Path, limit: int, *chosen: str) -> None:
    """Run the project's tests, some of which fail if `limit` is under 3, by a pytest of their own."""
    (project / "tests" / "test_it.py").write_text(TESTS.replace("LIMIT", str(limit)), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.rules_plugin", "--import-mode=importlib", *chosen]
    subprocess.run(command, cwd=project, env=environment, check=False, capture_output=True, timeout=60)


def rules(*options: str) -> tuple[str, str]:
    """What `manage.py rules` prints, and what it complains of."""
    out = StringIO()
    try:
        call_command("rules", *options, stdout=out)
    except CommandError as error:
        return out.getvalue(), str(error)
    return out.getvalue(), ""


def test_a_rule_is_proved_when_its_tests_have_passed(project: Path):
    keep(project, cases="passed", inside="passed")
    said, complaint = rules()
    assert said.splitlines() == [
        "A-01 The first rule, on two lines.",
        f"    passed  {CASES}",
        "A-02 The second rule.",
        f"    passed  {CASES}",
        f"    passed  {INSIDE}",
        "2 of 2 rules are proved.",
    ]
    assert complaint == ""


def test_json_has_each_rule_with_its_tests(project: Path):
    keep(project, cases="passed", inside="passed")
    first = {"id": "A-01", "text": "The first rule, on two lines.", "tests": [CASES]}
    second = {"id": "A-02", "text": "The second rule.", "tests": [CASES, INSIDE]}
    assert json.loads(rules("--json")[0]) == {"rules": [first, second]}


def test_a_failed_test_unproves_its_rules_and_no_other(project: Path):
    keep(project, cases="passed", inside="failed")
    said, complaint = rules()
    assert f"    failed  {INSIDE}\n" in said
    assert complaint.startswith("1 of 2 rules are not proved: A-02.")


def test_a_skipped_test_proves_nothing(project: Path):
    keep(project, cases="skipped", inside="passed")
    assert rules()[1].startswith("1 of 2 rules are not proved: A-01.")


def test_tests_that_never_ran_prove_nothing(project: Path):
    said, complaint = rules()
    assert f"    not run {CASES}\n" in said
    assert complaint.startswith("2 of 2 rules are not proved: A-01, A-02.")


def test_a_rule_without_a_test_is_told(project: Path):
    keep(project, cases="passed", inside="passed")
    with (project / "docs" / "rules.md").open("a", encoding="utf-8") as page:
        page.write("- B-01 Nobody tests this.\n")
    said, complaint = rules()
    assert "B-01 Nobody tests this.\n    no test carries this id\n" in said
    assert complaint.startswith("1 of 3 rules are not proved: B-01.")


def test_runs_add_up_and_one_failed_case_fails_its_test(project: Path):
    run_tests(project, 2)
    assert rules()[1].startswith("2 of 2 rules are not proved")
    run_tests(project, 3, "-k", "inside")
    assert f"    failed  {CASES}\n" in rules()[0]
    run_tests(project, 3, "-k", "cases")
    assert rules()[1] == ""
