"""Execution: one call, its words made values, over the belt of its category (A-17, A-19, A-22)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.deps import Deps
from agent.errors import AskError
from agent.snapshot.names import fold, without_article
from agent.times import read_when
from agent.tools import festivals as _festivals  # noqa: F401 — registers its tools
from agent.tools import places as _places  # noqa: F401 — registers its tools
from agent.tools.clean import clean
from agent.tools.festivals import options as _festival_options  # noqa: F401
from agent.tools.places import options as _place_options  # noqa: F401
from agent.tools.registry import TOOLS, Bench, Named, Tool, Without
from agent.types import Anchor, Call, Result, Row, Tags, Window

_BY_SLUG = {kind: f"SELECT id FROM {kind} WHERE slug = ?" for kind in ("place", "event", "festival")}  # noqa: S608 — fixed text
_KINDS = {"event_details": ("event",), "festival_details": ("festival",), "festival_programme": ("festival",)}  # what a tool's names name


def execute(call: Call, anchor: Anchor | None, tags: Tags, first_row: int, deps: Deps) -> Result:
    """Run one call that dispatch allowed. What fails fails alone: the result says why and has no rows."""
    if anchor is None:
        return Result(call.question, call.tool, failed="nothing to look from, because the question before found nothing")
    if anchor.missing:
        return Result(call.question, call.tool, failed=f"no place called {anchor.missing}")
    tool = TOOLS[call.tool]
    bench = Bench(deps.snapshot, deps.town, deps.now.astimezone(deps.town.timezone), deps.budget, call.question, anchor)
    try:
        result: Result = tool.run(bench, **_values(tool, call.args, tags, bench, deps))
    except AskError as error:
        return Result(call.question, call.tool, failed=f"no answer to be had just now ({type(error).__name__})")
    return replace(result, rows=number(result.rows[: deps.budget.rows], first_row))


def number(rows: Sequence[Row], first: int) -> tuple[Row, ...]:
    """Rows with ids that are opaque and once in a run, their text cleaned, and their reason among the facts."""
    return tuple(replace(row, id=f"r{at}", facts={**row.facts, "reason": row.reason.text}) for at, row in enumerate(map(clean, rows), start=first))


def _values(tool: Tool, args: Mapping[str, Any], tags: Tags, bench: Bench, deps: Deps) -> dict[str, Any]:
    """A call's words as the types that the tool's function names."""
    values: dict[str, Any] = {}
    for name, kind in tool.parameters.items():
        if kind is Tags:
            values[name] = tags
        elif kind is Named:
            values[name] = _named(args.get(name, ()), _KINDS.get(tool.name, ("landmark", "place")), deps)
        elif kind == Window | None:
            values[name] = read_when(args[name], bench.now, bench.town) if args.get(name) else None
        elif name == "order_by":
            values[name] = deps.lexicon.score(args.get(name, ""))
        elif kind is not Without and name in args:
            values[name] = args[name]
    return values


def _named(names: Sequence[str], kinds: Sequence[str], deps: Deps) -> Named:
    """The things that names stand for: all that bear a name equally well."""
    ids: list[int] = []
    unknown: list[str] = []
    for name in names:
        if picked := _by_public_id(name, deps):
            ids.append(picked)
            continue
        hits = deps.lexicon.find(name, kinds) or deps.lexicon.holding(without_article(fold(name)).split(), kinds)
        ids += [hit.ref for hit in hits if hit.typos == hits[0].typos]
        unknown += [] if hits else [name]
    return Named(tuple(dict.fromkeys(ids)), tuple(unknown))


def _by_public_id(name: str, deps: Deps) -> int | None:
    """The id of a place, event or festival that a pick names by its public id; no resident's or model's words look like one."""
    kind, _, slug = name.partition(":")
    if kind not in _BY_SLUG:
        return None
    belt = deps.snapshot.places if kind == "place" else deps.snapshot.festivals
    row = belt.one(_BY_SLUG[kind], (slug.partition("@")[0],))
    return int(row["id"]) if row else None
