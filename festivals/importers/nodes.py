"""The events in a JSON-LD document, wherever they stand. Terms may be written short, as `schema:` or as an address."""

import re
from collections.abc import Mapping
from typing import Any

Node = Mapping[str, Any]
_PREFIX = re.compile(r"(?i)^(schema:|https?://schema\.org/)")
_KINDS = {"CourseInstance", "EventSeries", "Festival", "Hackathon"}  # beside those whose name ends in Event, as schema.org lists them


def nodes(whole: Any) -> list[tuple[Node, Node | None]]:
    """Each event once, in the document's order, with the festival that it is part of."""
    return _Walk(_short(whole)).found


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def words(value: Any) -> str:
    """A text, a number or the first of a list, also where JSON-LD wraps it in @value."""
    if isinstance(value, list):
        return words(value[0]) if value else ""
    if isinstance(value, Mapping):
        return words(value.get("@value", value.get("@id", "")))
    return "" if value is None else str(value)


def named(value: Any) -> str:
    """The name of a thing, or the text that stands for it."""
    return words(value.get("name", value.get("value", value.get("@value")))) if isinstance(value, Mapping) else words(value)


def typed(value: str) -> str:
    return _PREFIX.sub("", value)


class _Walk:
    def __init__(self, whole: Any) -> None:
        self.found: list[tuple[Node, Node | None]] = []
        self._by_id: dict[str, Node] = {}
        self._seen: set[int] = set()
        self._index(whole)
        parts = [part for one in self._events(whole) for part in self._parts(one)]
        self._within = {id(part) for part in parts}
        for one in self._events(whole):
            if id(one) not in self._within:
                self._visit(one, None, frozenset())
        for one in self._events(whole):  # those in a circle, each of them part of another
            self._visit(one, None, frozenset())

    def _index(self, whole: Any) -> None:
        """Find the node that says most under each @id, so that a bare reference leads to it."""
        for node in _objects(whole):
            key = node.get("@id")
            if isinstance(key, str) and len(node) > len(self._by_id.get(key, {})):
                self._by_id[key] = node

    def _events(self, whole: Any) -> list[Node]:
        return [node for node in _objects(whole) if _is_event(node)]

    def _parts(self, node: Node) -> list[Node]:
        return [part for part in map(self._known, [*listed(node.get("subEvent")), *listed(node.get("subEvents"))]) if part]

    def _known(self, value: Any) -> Node | None:
        if isinstance(value, str):
            return self._by_id.get(value)
        if not isinstance(value, Mapping):
            return None
        return self._by_id.get(str(value.get("@id")), value)

    def _visit(self, node: Node, festival: Node | None, above: frozenset[int]) -> None:
        """Note the events under a node; `above` are those that lead to it, so that no circle runs on."""
        node = self._known(node) or node
        if id(node) in self._seen:
            return
        self._seen.add(id(node))
        parts = [part for part in self._parts(node) if id(part) not in above]
        if not parts:
            self.found.append((node, festival or self._above(node)))
        for part in parts:
            self._visit(part, festival or node, above | {id(node)})

    def _above(self, node: Node) -> Node | None:
        """What `superEvent` names, or the festival that the event itself is."""
        whole = next(iter(listed(node.get("superEvent"))), None)
        found = self._known(whole) or ({"name": whole} if isinstance(whole, str) else None)
        return found or (node if "Festival" in _types(node) else None)


def _objects(whole: Any) -> list[Node]:
    """All objects of the document, outermost first."""
    found: list[Node] = []
    waiting = [whole]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, Mapping):
            found.append(one)
            waiting[:0] = [value for key, value in one.items() if key != "superEvent"]
        elif isinstance(one, list):
            waiting[:0] = one
    return found


def _is_event(node: Node) -> bool:
    return any(name.endswith("Event") or name in _KINDS for name in _types(node))


def _types(node: Node) -> set[str]:
    return {typed(name) for name in listed(node.get("@type")) if isinstance(name, str)}


def _short(value: Any) -> Any:
    """The document with each term written short."""
    if isinstance(value, dict):
        return {typed(key): _short(one) for key, one in value.items()}
    return [_short(one) for one in value] if isinstance(value, list) else value
