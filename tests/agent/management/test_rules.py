import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

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


@pytest.fixture
def project(tmp_path: Path, settings) -> Path:
    """A small project with two rules; its tests are run by a pytest of its own."""
    settings.BASE_DIR = tmp_path
    for name, text in {"docs/rules.md": PAGE, "tests/test_it.py": TESTS, "pytest.ini": "[pytest]\nmarkers = rule(*ids)\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run_tests(project: Path, limit: int, *chosen: str) -> None:
    (project / "tests" / "test_it.py").write_text(TESTS.replace("LIMIT", str(limit)), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("DJANGO_SETTINGS_MODULE")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:django", "-p", "tests.rules_plugin", "--import-mode=importlib", *chosen]
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
    run_tests(project, 3)
    said, complaint = rules()
    assert said.splitlines() == [
        "A-01 The first rule, on two lines.",
        "    passed  tests/test_it.py::test_cases",
        "A-02 The second rule.",
        "    passed  tests/test_it.py::test_cases",
        "    passed  tests/test_it.py::TestTogether::test_inside",
        "2 of 2 rules are proved.",
    ]
    assert complaint == ""


def test_json_has_each_rule_with_its_tests(project: Path):
    run_tests(project, 3)
    assert json.loads(rules("--json")[0]) == {
        "rules": [
            {"id": "A-01", "text": "The first rule, on two lines.", "tests": ["tests/test_it.py::test_cases"]},
            {"id": "A-02", "text": "The second rule.", "tests": ["tests/test_it.py::test_cases", "tests/test_it.py::TestTogether::test_inside"]},
        ]
    }


def test_a_failed_case_unproves_its_rules(project: Path):
    run_tests(project, 2)
    said, complaint = rules()
    assert "    failed  tests/test_it.py::test_cases\n" in said
    assert complaint.startswith("2 of 2 rules are not proved: A-01, A-02.")


def test_a_partial_run_leaves_what_was_known_of_the_others(project: Path):
    run_tests(project, 2)
    run_tests(project, 3, "-k", "inside")
    assert "    failed  tests/test_it.py::test_cases\n" in rules()[0]
    run_tests(project, 3, "-k", "cases")
    assert rules()[1] == ""


def test_tests_that_never_ran_prove_nothing(project: Path):
    said, complaint = rules()
    assert "    not run tests/test_it.py::test_cases\n" in said
    assert complaint.startswith("2 of 2 rules are not proved")


def test_a_rule_without_a_test_is_told(project: Path):
    with (project / "docs" / "rules.md").open("a", encoding="utf-8") as page:
        page.write("- B-01 Nobody tests this.\n")
    run_tests(project, 3)
    said, complaint = rules()
    assert "B-01 Nobody tests this.\n    no test carries this id\n" in said
    assert complaint.startswith("1 of 3 rules are not proved: B-01.")
