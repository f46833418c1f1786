"""What one gathered row says of itself, made ready to be held against words."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from agent.blocks.grounding.figures import Figure, figures
from agent.blocks.grounding.words import GRADE_OF_PRICE, GRADES, PRICES, WEEKDAYS
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.names import fold, without_article
from agent.types import Row

_WHERE = ("location", "address", "area", "venue", "festival")
_SAID = ("tickets", "marks", "organiser", "note", "access", "age", "repeats", "state", "price", "wheelchair")
_TIMES = ("when", "date", "time", "until", "repeats", "hours", "next_dates", "off", "tickets")
_UNREAD = ("name", "description", "anchor")
_SCORE = re.compile(r"([\d.]+) (?:out )?of (\d+)")
_GRADE = {"low": 0.2, "middle": 0.6, "high": 1.0}
_NO_SCORE = frozenset({*_WHERE, *_SAID, *_TIMES, *_UNREAD, "category", "tags", "phone", "website", "distance", "walk", "reason"})


@dataclass(frozen=True, slots=True)
class Told:
    """`names` and `phrases` are folded; `phrases` maps each to the slot that says it; `scores` maps a kind to its part of the whole (0 to 1)."""

    row: Row
    names: frozenset[str]
    phrases: Mapping[str, str]
    anchor: str
    tags: frozenset[int]
    areas: frozenset[int]
    scores: Mapping[str, float]
    figures: Mapping[str, tuple[Figure, ...]]
    times: frozenset[str]
    price: str
    hours: str
    state: str

    def fact(self, slot: str) -> str:
        return self.row.facts.get(slot, "")

    def says_figure(self, kind: str) -> Iterator[Figure]:
        """Its figures of one kind, from all its facts but its name and its description."""
        return (figure for found in self.figures.values() for figure in found if figure.kind == kind)


def told(row: Row, lexicon: Lexicon) -> Told:
    """A row's facts, read once for a part. A description is not among them: it is prose of others, and no ground for a claim."""
    facts = row.facts
    hours = fold(facts.get("hours", ""))
    return Told(
        row=row,
        names=frozenset(form for name in (row.name, *row.names) for form in forms(name)),
        phrases=dict(_phrases(row)),
        anchor=fold(facts.get("anchor", "")),
        tags=_tags(row, lexicon),
        areas=frozenset(name.ref for name in lexicon.exact(fold(facts.get("area", "")), ("area",))),
        scores=scores_of(row),
        figures={slot: figures(text) for slot, text in facts.items() if slot not in _UNREAD},
        times=_times(row),
        price=_price(facts.get("price", "")),
        hours=hours,
        state=_state(row, hours),
    )


@lru_cache(maxsize=8192)
def forms(text: str) -> tuple[str, ...]:
    """A name folded, with and without its article."""
    folded = fold(text)
    return tuple(dict.fromkeys((folded, without_article(folded))))


@lru_cache(maxsize=8192)
def _listed(text: str) -> tuple[str, ...]:
    """What a list or an address says between its commas, and the whole of it, folded."""
    return tuple(dict.fromkeys(form for piece in (text, *text.split(", ")) for form in forms(piece)))


def _phrases(row: Row) -> Iterator[tuple[str, str]]:
    """Whole facts, and the parts of a list or an address; of two facts that say the same the last names it."""
    for slot in _SAID:
        if text := row.facts.get(slot):
            yield fold(text), slot
    for slot in (*_WHERE, "category", "tags"):
        yield from ((piece, slot) for piece in _listed(row.facts.get(slot, "")))


def _tags(row: Row, lexicon: Lexicon) -> frozenset[int]:
    reason = row.reason.text.split(", ") if row.reason.type == "tag" else []
    names = (row.facts.get("category", ""), *row.facts.get("tags", "").split(", "), *reason)
    hits = (hit for name in names if name for hit in lexicon.exact(fold(name), ("tag",)))
    return frozenset(tag for hit in hits for tag in lexicon.lineage(hit.ref))


def scores_of(row: Row) -> dict[str, float]:
    """A row's scores by their kind, each as a part of the whole (0 to 1)."""
    return dict(_scores(row))


def _scores(row: Row) -> Iterator[tuple[str, float]]:
    for slot, text in row.facts.items():
        if slot not in _NO_SCORE and (found := _SCORE.fullmatch(text)):
            yield slot.replace("_", " "), float(found[1]) / float(found[2])
        elif slot not in _NO_SCORE and text in GRADES:
            yield slot.replace("_", " "), _GRADE[GRADES[text]]


def _times(row: Row) -> frozenset[str]:
    """Its words of time: those of its facts, its weekdays in full, the parts of the day that its times fall in, and what its state makes true."""
    words = {word for slot in _TIMES for word in fold(row.facts.get(slot, "")).split()}
    words |= {day for day in WEEKDAYS for word in words if word in WEEKDAYS and day[:3] == word[:3]}
    if row.facts.get("repeats", "").startswith("every "):
        words |= {"weekly"} if words & WEEKDAYS else set()
    if row.opening and row.opening.state != "unknown":
        words |= {"now", "currently", "today"}
    for slot in ("time", "until", "hours", "when"):
        for figure in figures(row.facts.get(slot, "")):
            words |= set(_parts_of_day(figure)) if figure.kind == "clock" else set()
    return frozenset(words)


def _parts_of_day(clock: Figure) -> Iterator[str]:
    for minute in clock.value:
        yield from (
            part
            for part, start, end in (("morning", 240, 720), ("afternoon", 720, 1080), ("evening", 1020, 1440), ("night", 1260, 1440))
            if start <= minute < end
        )


def _price(text: str) -> str:
    """The level of a price that its words give: "cheap", or "less than £20, cheap"."""
    words = [fold(piece) for piece in text.split(", ")]
    return next((level for word in words if (level := PRICES.get(word) or GRADE_OF_PRICE.get(GRADES.get(word, ""), ""))), "")


def _state(row: Row, hours: str) -> str:
    """open, closed, or nothing where that is not known."""
    if row.status.startswith("closed"):
        return "closed"
    if row.opening:
        return "" if row.opening.state == "unknown" else row.opening.state
    return next((word for word in ("open", "closed") if hours.startswith(word)), "")
