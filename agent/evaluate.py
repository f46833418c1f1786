"""Evaluation cases: what a reply must hold (`docs/evaluation.md` has the format). It knows no engine, only replies."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Reply = Mapping[str, Any]


def failures(expect: Mapping[str, Any], reply: Reply) -> list[str]:
    """What of a case does not hold, in words; empty when it passes. Raises ValueError for an expectation that nobody knows."""
    unknown = set(expect) - set(_CHECKS)
    if unknown:
        raise ValueError(f"unknown expectation {min(unknown)!r}; known are {', '.join(sorted(_CHECKS))}")
    return [f"{key}: {why}" for key, wanted in expect.items() if (why := _CHECKS[key](wanted, reply))]


def fold(name: object) -> str:
    """Names compare after NFC and case folding."""
    return unicodedata.normalize("NFC", str(name)).casefold()


def _named(part: Mapping[str, Any]) -> list[set[str]]:
    """The names and ids that each recommended row of a part goes by."""
    return [{fold(row["name"]), fold(row["id"]), fold(row["id"]).partition(":")[2]} for row in part["recommends"]]


def _per_part(holds: Callable[[set[str], list[set[str]]], bool]) -> Callable[[Sequence[Sequence[str]], Reply], str]:
    """A check of each part's recommended rows against the case's list for that part."""

    def check(wanted: Sequence[Sequence[str]], reply: Reply) -> str:
        parts = reply["parts"]
        for at, names in enumerate(wanted):
            rows = _named(parts[at]) if at < len(parts) else []
            if not holds({fold(name) for name in names}, rows):
                return f"part {at + 1} recommends {[max(row) for row in rows] or 'nothing'}"
        return ""

    return check


def _value(read: Callable[[Reply], Any], holds: Callable[[Any, Any], bool]) -> Callable[[Any, Reply], str]:
    """A check of one value of the reply."""

    def check(wanted: Any, reply: Reply) -> str:
        got = read(reply)
        return "" if holds(wanted, got) else f"wanted {wanted!r}, got {got!r}"

    return check


def _open(wanted: Sequence[str | None], reply: Reply) -> str:
    for at, state in enumerate(wanted):
        rows = reply["parts"][at]["recommends"] if at < len(reply["parts"]) else []
        got = rows[0]["open"]["state"] if rows and rows[0]["open"] else None
        if state is not None and got != state:
            return f"part {at + 1} is {got}, wanted {state}"
    return ""


def _flag(wanted: Sequence[str | None], reply: Reply) -> str:
    for at, flag in enumerate(wanted):
        rows = reply["parts"][at]["recommends"] if at < len(reply["parts"]) else []
        got = {row["when"]["flag"] for row in rows if row["when"]}
        if flag is not None and got != {flag}:
            return f"part {at + 1} has {sorted(got)}, wanted {flag}"
    return ""


def _where(wanted: Sequence[Mapping[str, str] | Sequence[str] | None], reply: Reply) -> str:
    for at, anchor in enumerate(wanted):
        if anchor is None:
            continue
        rung, name = (anchor.get("rung"), anchor.get("name")) if isinstance(anchor, Mapping) else (*anchor, None)[:2]
        got = reply["parts"][at]["anchor"] if at < len(reply["parts"]) else None
        if got is None or (rung and got["rung"] != rung) or (name and fold(got["name"]) != fold(name)):
            return f"part {at + 1} looks from {got}, wanted {anchor}"
    return ""


def _unknown(wanted: Sequence[int], reply: Reply) -> str:
    statuses = {part["question"]: part["status"] for part in reply["parts"]}
    wrong = [number for number in wanted if statuses.get(number) != "unknown"]
    return f"part {wrong[0]} is {statuses.get(wrong[0])}" if wrong else ""


def _tools(wanted: Sequence[str], reply: Reply) -> str:
    got = [call["tool"] for call in reply["meta"]["calls"]]
    return "" if set(wanted) <= set(got) else f"called {got}"


def _tags(wanted: Sequence[Sequence[str]], reply: Reply) -> str:
    for at, names in enumerate(wanted):
        rows = reply["parts"][at]["recommends"] if at < len(reply["parts"]) else []
        if not all(any(fold(name) in fold(row["reason"]["text"]) for row in rows) for name in names):
            return f"part {at + 1} matched by {[row['reason']['text'] for row in rows]}"
    return ""


def _recommended(reply: Reply) -> list[str]:
    return [row["name"] for part in reply["parts"] if part["kind"] == "recommend" for row in part["recommends"]]


_CHECKS: Mapping[str, Callable[[Any, Reply], str]] = {
    "outcome": _value(lambda reply: reply["outcome"], lambda wanted, got: wanted == got),
    "outcome_in": _value(lambda reply: reply["outcome"], lambda wanted, got: got in wanted),
    "refused": _value(lambda reply: reply["refused"], lambda wanted, got: wanted == got),
    "parts": _value(lambda reply: len(reply["parts"]), lambda wanted, got: wanted == got),
    "recommends_none": _value(_recommended, lambda wanted, got: not wanted or not got),
    "max_model_calls": _value(lambda reply: reply["meta"]["model_calls"], lambda wanted, got: got <= wanted),
    "only": _per_part(lambda names, rows: all(row & names for row in rows)),
    "any_of": _per_part(lambda names, rows: any(row & names for row in rows)),
    "all_of": _per_part(lambda names, rows: names <= set().union(*rows) if rows else not names),
    "none_of": _per_part(lambda names, rows: not any(row & names for row in rows)),
    "first": _per_part(lambda names, rows: bool(rows and rows[0] & names)),
    "open": _open,
    "flag": _flag,
    "where": _where,
    "unknown": _unknown,
    "tools": _tools,
    "tags": _tags,
}
