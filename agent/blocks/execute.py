"""Execution: one call, its words made values, over the belt of its category (A-17, A-19, A-22)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from agent.deps import Deps
from agent.errors import AskError
from agent.snapshot.names import fold, without_article
from agent.tools import places as _places  # noqa: F401 — registers its tools
from agent.tools.registry import TOOLS, Bench, Named, Without
from agent.types import Anchor, Call, Result, Row, Tags

Keywords = Callable[[Sequence[str], Sequence[str], Deps], Tags]


def execute(call: Call, anchor: Anchor | None, tags: Tags, first_row: int, deps: Deps) -> Result:
    """Run one call that dispatch allowed. What fails fails alone: the result says why and has no rows."""
    if anchor is None:
        return Result(call.question, call.tool, failed="nothing to look from, because the question before found nothing")
    if anchor.missing:
        return Result(call.question, call.tool, failed=f"no place called {anchor.missing}")
    tool = TOOLS[call.tool]
    bench = Bench(deps.snapshot, deps.town, deps.now.astimezone(deps.town.timezone), deps.budget, call.question, anchor)
    try:
        result = tool.run(bench, **_values(tool.parameters, call.args, tags, bench, deps))
    except AskError as error:
        return Result(call.question, call.tool, failed=f"no answer to be had just now ({type(error).__name__})")
    return replace(result, rows=number(result.rows[: deps.budget.rows], first_row))


def number(rows: Sequence[Row], first: int) -> tuple[Row, ...]:
    """Rows with ids that are opaque and once in a run, and their reason among the facts."""
    return tuple(replace(row, id=f"r{at}", facts={**row.facts, "reason": row.reason.text}) for at, row in enumerate(rows, start=first))


def _values(parameters: Mapping[str, object], args: Mapping[str, Any], tags: Tags, bench: Bench, deps: Deps) -> dict[str, Any]:
    """A call's words as the types that the tool's function names."""
    values: dict[str, Any] = {}
    for name, kind in parameters.items():
        if kind is Tags:
            values[name] = tags
        elif kind is Named:
            values[name] = _named(args.get(name, ()), deps)
        elif kind == datetime | None:
            values[name] = bench.now if args.get(name) else None
        elif name == "order_by":
            values[name] = deps.lexicon.score(args.get(name, ""))
        elif kind is not Without and name in args:
            values[name] = args[name]
    return values


def _named(names: Sequence[str], deps: Deps) -> Named:
    """The places that names stand for: all that bear a name equally well."""
    ids: list[int] = []
    unknown: list[str] = []
    for name in names:
        hits = deps.lexicon.find(name, ("landmark", "place")) or deps.lexicon.holding(without_article(fold(name)).split(), ("landmark", "place"))
        best = [hit for hit in hits if hit.typos == hits[0].typos]
        ids += [hit.ref for hit in best]
        unknown += [] if hits else [name]
    return Named(tuple(dict.fromkeys(ids)), tuple(unknown))
