"""`ask` in the terminal: what is asked back, and how it is answered."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command

from agent.web import wiring
from tests.rows import build, place

NOW = "2026-06-01T13:00"
ONE, TWO = "a museum in Harbour and cafe near me", "cafe near me, a museum in Harbour and a zoo"


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path) -> Iterator[Path]:
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    settings.SNAPSHOT_DIR.mkdir()
    build(settings.SNAPSHOT_DIR)
    wiring.store.cache_clear()
    yield settings.SNAPSHOT_DIR
    wiring.store.cache_clear()


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("ask", *arguments, "--now", NOW, stdout=out, stderr=out)
    return out.getvalue()


def reply(*arguments: str) -> dict:
    return json.loads(said(*arguments, "--json"))


def test_options_are_numbered_and_the_command_to_go_on_with_is_printed():
    told = said(ONE)
    assert told.splitlines()[:5] == [
        "Boat Museum in Harbour: museum, hours not confirmed.",
        "Where should Small look? Pick one, or name an area.",
        "  1. Old Town    --pick 2=area:old-town",
        "  2. Harbour    --pick 2=area:harbour",
        "  or in your own words    --say '2=…'",
    ]
    words = shlex.split(told.splitlines()[-1])
    assert (words[:6], words[6], words[-2:]) == (["python", "manage.py", "ask", ONE, "--now", NOW], "--resume", ["--pick", "2=area:old-town"])


@pytest.mark.rule("A-37")
@pytest.mark.parametrize("answer", [("--pick", "2=area:harbour"), ("--say", "2=le port"), ("--say", "2= Harbour ")])
def test_an_answer_brings_what_was_open(answer):
    body = reply(ONE, "--resume", reply(ONE)["echo"], *answer)
    assert [(part["question"], part["recommends"][0]["name"]) for part in body["parts"]] == [(2, "Pier Cafe")]


@pytest.mark.rule("A-28")
def test_two_are_answered_together():
    body = reply(TWO, "--resume", reply(TWO)["echo"], "--pick", "1=area:harbour", "--say", "3=gallery")
    assert [(part["question"], part["recommends"][0]["name"]) for part in body["parts"]] == [(1, "Pier Cafe"), (3, "Boat Museum")]


@pytest.mark.rule("A-36")
def test_an_answer_that_is_none_prints_the_options_once_more():
    told = said("cafe near me", "--resume", reply("cafe near me")["echo"], "--pick", "1=area:nowhere")
    assert told.splitlines()[:2] == ["That was none of these. Which one is it?", "  1. Old Town    --pick 1=area:old-town"]
    echo = re.search(r"--resume (\S+)", told)[1]
    last = said("cafe near me", "--resume", echo, "--pick", "1=area:nowhere")
    assert last == "Without knowing that, Small doesn’t know.\n"


@pytest.mark.rule("A-35")
def test_an_echo_that_is_not_good_asks_anew_and_says_why():
    told = said(ONE, "--resume", "no echo", "--pick", "2=area:harbour")
    assert told.splitlines()[:2] == [
        "The follow-up was not taken up (tampered), so the whole question is asked anew.",
        "Boat Museum in Harbour: museum, hours not confirmed.",
    ]


@pytest.mark.rule("A-35")
def test_the_echos_own_snapshot_is_asked_while_it_is_kept(folder):
    echo = reply("cafe near me")["echo"]
    build(folder, places=[place("new-cafe", category="cafe", area="harbour", lat=54.41, lng=-2.951)])
    body = reply("cafe near me", "--resume", echo, "--pick", "1=area:harbour")
    assert (body["meta"]["snapshot"]["number"], body["parts"][0]["recommends"][0]["name"]) == (1, "Pier Cafe")
    assert reply("cafe near me")["meta"]["snapshot"]["number"] == 2


def test_a_snapshot_that_was_named_is_asked_again(folder):
    file = str(folder / "smallplaces-1.db")
    build(folder)
    told = said("cafe near me", "--snapshot", file)
    assert f"--snapshot {file}" in told
    echo = re.search(r"--resume (\S+)", told)[1]
    assert reply("cafe near me", "--snapshot", file, "--resume", echo, "--pick", "1=area:harbour")["meta"]["snapshot"]["number"] == 1


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--pick", "1=area:harbour"), "give the echo"),
        (("--say", "1=harbour"), "give the echo"),
        (("--resume", "e", "--pick", "area:harbour"), "it looks like 2=area:harbour"),
        (("--resume", "e", "--pick", "one=area:harbour"), "it looks like 2=area:harbour"),
        (("--resume", "e", "--pick", "1="), "it looks like 2=area:harbour"),
        (("--resume", "e", "--say", "=harbour"), "it looks like 2=area:harbour"),
        (("--resume", "e", "--pick", "1=area:harbour", "--say", "1=harbour"), "question 1 is answered twice"),
        (("--resume", "e", "--say", f"1={'x' * 141}"), "at most 140 characters"),
    ],
)
def test_an_answer_that_cannot_be_read_says_how_it_looks(arguments, why):
    with pytest.raises(CommandError, match=why):
        said("cafe near me", *arguments)


@pytest.mark.slow
@pytest.mark.rule("A-30", "A-38")
def test_a_follow_up_asked_in_one_process_is_answered_in_another_which_knows_the_keys_alone(folder, tmp_path):
    def elsewhere(keys: str, *arguments: str) -> dict:
        environment = {**os.environ, "ASKSMALL_DATA_DIR": str(tmp_path), "ASKSMALL_ECHO_KEYS": keys}
        command = [sys.executable, "manage.py", "ask", ONE, "--json", "--now", NOW, *arguments]
        return json.loads(subprocess.run(command, cwd=site.BASE_DIR, env=environment, capture_output=True, check=True, timeout=60).stdout)

    old, new = "o" * 40, "n" * 40
    echo = elsewhere(old)["echo"]
    answer = ("--resume", echo, "--pick", "2=area:harbour")
    assert [part["question"] for part in elsewhere(old, *answer)["parts"]] == [2]
    assert [part["question"] for part in elsewhere(f"{new},{old}", *answer)["parts"]] == [2]
    assert [part["question"] for part in elsewhere(new, *answer)["parts"]] == [1, 2]
