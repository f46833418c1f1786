"""The tools that a model may call: name, category, arguments and schema come from the function itself (A-18, A-20).

A tool's arguments are words in a call and typed values in the function: what a parameter is annotated with says how the harness reads it.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_type_hints

from agent.errors import ToolRefused
from agent.snapshot.reader import Snapshot
from agent.types import Anchor, Budget, Category, Tags, Town, Window

_CHARS = 140
_PHRASES = 6


@dataclass(frozen=True, slots=True)
class Named:
    """What names stand for: ids of places (for festival tools of festivals, or of events), and the names that are nobody's here."""

    ids: tuple[int, ...] = ()
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bench:
    """What every tool works with besides its own arguments. `now` is aware, in the town's zone; the belt is the tool's own."""

    snapshot: Snapshot
    town: Town
    now: datetime
    budget: Budget
    question: int
    anchor: Anchor


class Without:
    """Stands for the phrases that are not wanted: a call says them beside `keywords`, the function finds them in its Tags."""


# What a parameter's type is called in a call: its JSON schema.
_SCHEMAS: Mapping[object, Mapping[str, object]] = {
    Tags: {"type": "array", "items": {"type": "string", "maxLength": _CHARS}, "maxItems": _PHRASES},
    Without: {"type": "array", "items": {"type": "string", "maxLength": _CHARS}, "maxItems": _PHRASES},
    Named: {"type": "array", "items": {"type": "string", "maxLength": _CHARS}, "maxItems": 5},
    str: {"type": "string", "maxLength": _CHARS},
    datetime | None: {"type": "string", "maxLength": _CHARS},
    Window | None: {"type": "string", "maxLength": _CHARS},
    int: {"type": "integer", "minimum": 1, "maximum": 5},
}


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    id: str
    category: Category
    description: str
    parameters: Mapping[str, object]
    run: Callable[..., Any]
    offered: bool = True  # to a model; what gives the options of a question back is the harness's own

    def schema(self) -> dict[str, Any]:
        """The JSON schema of a call's `args`."""
        return {"type": "object", "properties": {name: dict(_SCHEMAS[kind]) for name, kind in self.parameters.items()}, "additionalProperties": False}

    def check(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments, if they are of the schema. Raises ToolRefused that names the first that is not."""
        for name, value in args.items():
            if name not in self.parameters:
                raise ToolRefused(f"{self.name} takes no '{name}'; it takes {', '.join(self.parameters)}")
            if not _fits(value, _SCHEMAS[self.parameters[name]]):
                raise ToolRefused(f"{self.name}: '{name}' must be {_SCHEMAS[self.parameters[name]]}")
        return dict(args)


def _fits(value: object, schema: Mapping[str, Any]) -> bool:
    match schema["type"]:
        case "string":
            return isinstance(value, str) and len(value) <= schema["maxLength"]
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool) and schema["minimum"] <= value <= schema["maximum"]
        case _:
            return isinstance(value, list | tuple) and len(value) <= schema["maxItems"] and all(_fits(item, schema["items"]) for item in value)


TOOLS: dict[str, Tool] = {}


def tool(tool_id: str, category: Category, *, offered: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as a tool: `@tool("P1", "place")`. Its first parameter is the bench, the rest are what a call may say."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        hints = get_type_hints(function)
        parameters: dict[str, object] = {name: hints[name] for name in list(inspect.signature(function).parameters)[1:] if offered}
        if Tags in parameters.values():
            parameters["without"] = Without
        name = function.__name__
        TOOLS[name] = Tool(name, tool_id, category, inspect.getdoc(function) or "", parameters, function, offered)
        return function

    return register
