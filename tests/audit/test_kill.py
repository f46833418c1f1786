"""`kill -9` while asking: no run that was acknowledged is lost, and none is left half without a mark (FA1)."""

import subprocess
import sys
from pathlib import Path

import pytest

from audit.models import Run
from audit.recorder import Recorder
from tests.audit.test_recorder import ask, until

ROOT = Path(__file__).resolve().parents[2]


def check(audit_file, town, kills: int) -> None:
    command = [sys.executable, "-m", "tests.audit.asker", str(audit_file.parent), str(kills)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    started, replied = ({line.partition(" ")[2] for line in said if line.startswith(word)} for word in ("start ", "reply "))
    later = Recorder(audit_file.parent / "smallsystem.spill")
    ask(later, town, "the next start")
    until(lambda: not later.spill and not Run.objects.filter(ended="").exists(), 20)
    later.close()
    ended = dict(Run.objects.values_list("query", "ended"))
    assert len(replied) > kills / 2
    assert started - set(ended) == set()
    assert {question for question in replied if ended[question] != "ok"} == set()
    assert set(ended.values()) <= {"ok", "lost"}


@pytest.mark.slow
@pytest.mark.rule("A-54")
@pytest.mark.fault("FA1")
def test_twenty_kills_lose_no_acknowledged_run_and_leave_none_unmarked(audit_file, town):
    check(audit_file, town, 20)


@pytest.mark.long
@pytest.mark.fault("FA1")
def test_a_thousand_kills_lose_no_acknowledged_run_and_leave_none_unmarked(audit_file, town):
    check(audit_file, town, 1_000)
