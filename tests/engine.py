"""A whole engine over the example town, for tests: `engine(folder)` and `ask(deps, text)`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from agent.deps import Deps
from agent.harness import run
from agent.llm.base import Model
from agent.llm.rules import RulesModel
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.store import Store
from agent.types import Box, Event, Part, Point, Query, Reply, Town
from tests.rows import NOW, WIDTH, build, unit_vector

TOWN = Town("Lindenmere", ZoneInfo("Europe/London"), Point(54.4, -2.96), Box(54.36, -3.03, 54.44, -2.89))

KEYS = ("a key of the tests",)


class SameWords:
    """An embedder for tests, in which only equal phrases are near each other."""

    id = "test-vectors"
    width = WIDTH

    def encode(self, texts):
        return np.array([unit_vector(text) for text in texts], dtype=np.float32).reshape(len(texts), WIDTH)


def engine(folder: Path, model: Model | None = None, **rows: Any) -> Deps:
    """What a run may touch, over a fresh snapshot of the example town with kinds of rows replaced; the rules model unless another is given."""
    build(folder, **rows)
    snapshot = Store(folder).handle()
    lexicon = Lexicon(snapshot.anchors)
    return Deps(TOWN, snapshot, lexicon, NOW, model or RulesModel(lexicon, TOWN), SameWords(), echo_keys=KEYS)


def with_model(deps: Deps, model: Model) -> Deps:
    return replace(deps, model=model)


def ask(deps: Deps, text: str, at: Point | None = None) -> Mapping[str, Any]:
    """The reply's body to one query."""
    return steps(deps, text, at)[-1].body


def steps(deps: Deps, text: str, at: Point | None = None) -> list[Event | Part | Reply]:
    return list(run(Query(text, at), deps))


def names(part: Mapping[str, Any]) -> list[str]:
    """What a part of a reply recommends."""
    return [row["name"] for row in part["recommends"]]


def question(what: str = "cafe", where: str | None = "city", **more: Any) -> dict[str, Any]:
    """A question as a resolver sends it."""
    return {"what": what, "where": where, "why": "tag", "shape": "some", **more}


def call(number: int, tool: str = "find_places", **args: Any) -> dict[str, Any]:
    """A tool call as a resolver sends it."""
    return {"question": number, "tool": tool, "args": args or {"keywords": ["cafe"]}}


def final(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"final": {"parts": list(parts)}}


def part(number: int, text: str, rows: tuple[str, ...] = (), recommends: tuple[str, ...] | None = None) -> dict[str, Any]:
    """One part of a final, in one sentence."""
    listed = rows if recommends is None else recommends
    return {"question": number, "sentences": [{"text": text, "rows": list(rows)}], "recommends": [{"row": row, "reason": "tag"} for row in listed]}
