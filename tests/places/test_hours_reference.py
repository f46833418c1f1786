"""Opening hours against a reference implementation's answers (opening_hours.js), where the shared data is there.

Holiday lists are each project's own, and the cases of the sun do not say where they stand: texts with either are left out.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agent.tools.hours import state_at
from agent.types import Box, Point, Town
from places.hours import expand

DATA = Path(__file__).parents[3] / "shared" / "data" / "hours"
BERLIN = ZoneInfo("Europe/Berlin")
LEFT_OUT = re.compile(r"\b(PH|SH)\b|holiday|ferien|feiertag|sunrise|sunset|dawn|dusk|daylight", re.IGNORECASE)
INSTANTS = 97

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")


def lines(name: str) -> Iterator[dict]:
    yield from map(json.loads, (DATA / name).read_text(encoding="utf-8").splitlines())


def town(zone: str, country: str) -> Town:
    return Town("Reference", ZoneInfo(zone), Point(48.5, 9.0), Box(48, 8, 49, 10), country=country)


def ours(text: str, where: Town, first: date, days: int, instants: list[datetime]) -> list[str]:
    hours = expand(text, where, first, days)
    horizon = range(first.toordinal(), first.toordinal() + days)
    return [state_at(hours, instant.replace(tzinfo=where.timezone), horizon)[0] for instant in instants]


def wall_clock(text: str) -> datetime:
    """The three ways in which the cases write a time."""
    if text.endswith("Z"):
        return datetime.fromisoformat(text).astimezone(BERLIN).replace(tzinfo=None)
    if numbers := re.match(r"(\d+)[-.](\d+)[-.](\d+) (\d+):(\d+)", text):
        return datetime(*map(int, numbers.groups()))  # noqa: DTZ001 — a wall-clock time
    return datetime.strptime(" ".join(text.split()[1:5]), "%b %d %Y %H:%M:%S")  # noqa: DTZ007 — a wall-clock time


def reference(case: dict, instants: list[datetime]) -> list[str]:
    spans = [(wall_clock(span[0]), wall_clock(span[1]), "unknown" if span[2:3] == [True] else "open") for span in case["intervals"]]
    return [next((state for opens, closes, state in spans if opens <= instant < closes), "closed") for instant in instants]


def test_a_real_town_is_never_open_where_the_reference_is_not_and_agrees_with_it() -> None:
    pairs: Counter[tuple[str, str]] = Counter()
    for place in lines("monaco_open_oracle.jsonl"):
        instants = [datetime.fromisoformat(when) for when in place["states"]]
        found = ours(place["opening_hours"], town(place["tz"], place["country"].upper()), date(2026, 7, 1), 400, instants)
        pairs.update(zip(found, place["states"].values(), strict=True))
    agree = sum(count for (found, said), count in pairs.items() if found == said)
    print(f"agree: {agree} of {pairs.total()}")  # noqa: T201 — the share, for who asks with -rP
    assert [pair for pair in pairs if pair[0] == "open" != pair[1]] == []
    assert agree / pairs.total() >= 0.98


def test_the_references_own_cases_agree_or_are_not_confirmed() -> None:
    wrong, verdicts = [], Counter[str]()
    for case in lines("opening_hours_cases.jsonl"):
        if case["kind"] != "intervals" or LEFT_OUT.search(case["value"]):
            continue
        start, end = wall_clock(case["from"]), wall_clock(case["to"])
        instants = [(start + (end - start) * number / INSTANTS).replace(second=0, microsecond=0) for number in range(INSTANTS)]
        found = ours(case["value"], town("Europe/Berlin", "DE"), start.date(), (end - start + timedelta(2)).days, instants)
        said = reference(case, instants)
        verdicts["agree" if found == said else "not confirmed"] += 1
        wrong += [(case["value"], when, one, other) for when, one, other in zip(instants, found, said, strict=True) if one not in ("unknown", other)]
    print(f"cases: {dict(verdicts)}")  # noqa: T201 — the share, for who asks with -rP
    assert wrong == []
    assert verdicts["agree"] >= verdicts["not confirmed"]
