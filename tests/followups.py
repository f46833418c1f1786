"""Questions that are asked back about, and answers to them, for every test of follow-ups."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from agent.deps import Deps
from agent.harness import run
from agent.llm.rules import RulesModel
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.store import Store
from agent.types import Pick, Point, Query, Reply, Resume
from tests.engine import ask, engine
from tests.rows import place, town_rows

POINTS = "cafe near me"
UNKNOWN = "a zoo"
NAMESAKES = "tell me about Swan Inn"
BOTH = "a zoo, and a museum in Harbour, and cafe near me"
CHAIN = "cafe near me and a restaurant near it"
INNS = (
    place("swan-inn", name="Swan Inn", category="restaurant"),
    place("swan-inn-harbour", name="Swan Inn", category="restaurant", area="harbour", lat=54.41, lng=-2.95),
)


def town_with_inns(folder: Path) -> Deps:
    """The example town with two inns of one name, more than a kilometre apart."""
    return engine(folder, places=[*town_rows().places, *INNS])


def resume(deps: Deps, text: str, token: str, *picks: Pick, at: Point | None = None) -> Mapping[str, Any]:
    """The reply's body to an answer."""
    *_, reply = run(Query(text, at), deps, Resume(token, picks))
    assert isinstance(reply, Reply)
    return reply.body


def answered(deps: Deps, text: str, *picks: Pick) -> Mapping[str, Any]:
    """A question asked, and what it asks back answered."""
    return resume(deps, text, ask(deps, text)["echo"], *picks)


def later(deps: Deps, seconds: float) -> Deps:
    return replace(deps, now=deps.now + timedelta(seconds=seconds))


def statuses(body: Mapping[str, Any]) -> list[tuple[int, str]]:
    return [(one["question"], one["status"]) for one in body["parts"]]


def is_new_run(body: Mapping[str, Any]) -> bool:
    """Whether all was asked again: the whole of it is there, and a fresh echo."""
    return len(body["parts"]) == len(body["meta"]["questions"]) and body["echo"] is not None and body["meta"]["model_calls"] > 0


def with_file(deps: Deps, folder, number: int) -> Deps:
    """The same engine over another snapshot of a folder."""
    snapshot = Store(folder).open(number)
    lexicon = Lexicon(snapshot.anchors)
    return replace(deps, snapshot=snapshot, lexicon=lexicon, model=RulesModel(lexicon, deps.town))
