"""How well time words are read on real phrases with known instants (`../shared/data/time`, duckling's, reference 12 February 2013, 04:30).

A row counts as read when our window and the reference's overlap; an open one ("after …") when an edge of ours is where the reference says.
Rows of the world's holidays (their kind in the file says so) are aside: a town knows its own country's, and they are counted apart.
The rows below, by their line in the file, are left out too, because no resident of a town types them about an event.
"""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agent.times import read_when
from agent.types import Box, Point, Town, Window

ROWS = Path(__file__).resolve().parents[4] / "shared" / "data" / "time" / "time_expressions.jsonl"
LEFT_OUT = {
    "the time zone of somewhere else is named: a town speaks in its own time": (53, 57, 72, 102, 103, 112, 180, 184, 316, 334, 388, 404),
    "abbreviations of an office for the beginning and end of a month or year": (44, 107, 175, 215, 216, 327),
    "quarters of a business year": (91, 121, 200, 336, 384),
    "seconds": (131, 274, 311),
    "a year of antiquity": (379,),
    "the weekday second closest to a date": (109,),
}
GRAINS = {"Second": 1 / 86400, "Minute": 1 / 1440, "Hour": 1 / 24, "Day": 1, "Week": 7, "Month": 31, "Quarter": 92, "Year": 366}
ZONE = ZoneInfo("Etc/GMT+2")  # two hours behind UTC, as the reference


def rows(*, holidays: bool) -> Iterator[dict[str, str]]:
    left_out = {number for numbers in LEFT_OUT.values() for number in numbers}
    for number, line in enumerate(ROWS.read_text(encoding="utf-8").splitlines(), start=1):
        row = json.loads(line)
        if number not in left_out and ("Holiday" in row["kind"]) == holidays:
            yield row


def window(row: dict[str, str]) -> Window | None:
    """The file's English without a country is American, as its month-first dates show."""
    country = "US" if row["lang"] in ("EN", "EN_US") else row["lang"][-2:]
    town = Town("Somewhere", ZONE, Point(40.0, 0.0), Box(39.0, -1.0, 41.0, 1.0), country=country)
    return read_when(row["text"], datetime.fromisoformat(row["ref"]), town)


def is_read(row: dict[str, str]) -> bool:
    found = window(row)
    start = datetime.fromisoformat(row["start"]).replace(tzinfo=ZONE)
    grain = timedelta(days=GRAINS[row["grain"]])
    end = datetime.fromisoformat(row["end"]).replace(tzinfo=ZONE) if row["end"] else start + grain
    if found is None:
        return False
    if "Open" in row["kind"]:
        return min(abs(found.start - start), abs(found.end - start)) <= grain
    return found.start < end and start < found.end


def starts_as_said(row: dict[str, str]) -> bool:
    found = window(row)
    return found is not None and found.start == datetime.fromisoformat(row["start"]).replace(tzinfo=ZONE)


@pytest.mark.skipif(not ROWS.exists(), reason="shared/data is absent")
def test_the_phrases_that_a_resident_might_type_are_read(capsys):
    asked = list(rows(holidays=False))
    read = [row for row in asked if is_read(row)]
    exact = sum(starts_as_said(row) for row in asked)
    with capsys.disabled():
        print(f"\ntime words: {len(read)} of {len(asked)} overlap ({len(read) / len(asked):.1%}), {exact} begin at the same minute")  # noqa: T201 the share is the point
    assert len(asked) == 229
    assert len(read) / len(asked) >= 0.92


@pytest.mark.skipif(not ROWS.exists(), reason="shared/data is absent")
def test_the_holidays_of_the_world_are_counted_by_their_day(capsys):
    """Not by overlap: "diwali 2019" read as the year 2019 would overlap."""
    asked = list(rows(holidays=True))
    exact = sum(starts_as_said(row) for row in asked)
    with capsys.disabled():
        print(f"\nholidays: {exact} of {len(asked)} on their day")  # noqa: T201
    assert exact >= 45
