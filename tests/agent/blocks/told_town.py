"""A small town of which much is known, and questions about it whose rows a model may then speak of."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent.deps import Deps
from agent.llm.scripted import ScriptedModel
from agent.snapshot.schema import Content, ScoreKindRow
from tests.engine import ask, call, engine, final, question, with_model
from tests.rows import DAILY, event, festival, occurrence, place, score, tag, town_rows

QUIET = question("quiet cafe", "clock tower", why="score:quiet")
FESTIVE = {"category": "festival", "why": "event"}

# What a resident asks, and what a resolver makes of it.
SCENES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "quiet": ("a quiet cafe near the clock tower", {"questions": [QUIET], "calls": [call(1, keywords=["cafe"], order_by="quiet")]}),
    "near": ("cafes near the clock tower", {"questions": [question("cafe", "clock tower")], "calls": [call(1, "places_near", keywords=["cafe"])]}),
    "told": ("tell me about the blue door", {"questions": [question("Blue Door")], "calls": [call(1, "place_details", names=["Blue Door"])]}),
    "pier": ("a cafe in the harbour", {"questions": [question("cafe", "harbour")], "calls": [call(1, keywords=["cafe"])]}),
    "eat": ("somewhere for dinner", {"questions": [question("restaurant")], "calls": [call(1, keywords=["restaurant"])]}),
    "museum": ("a museum for a rainy birthday", {"questions": [question("museum")], "calls": [call(1, keywords=["museum"])]}),
    "pub": ("is the Crooked Billet any good", {"questions": [question("pub")], "calls": [call(1, "place_details", names=["The Crooked Billet"])]}),
    "week": ("what is on this week", {"questions": [question("events", **FESTIVE)], "calls": [call(1, "events_when", keywords=[])]}),
    "quiz": ("when is quiz night", {"questions": [question("quiz", **FESTIVE)], "calls": [call(1, "event_details", names=["Quiz Night"])]}),
    "concert": (
        "the opening concert",
        {"questions": [question("concert", **FESTIVE)], "calls": [call(1, "event_details", names=["Opening Concert"])]},
    ),
    "parade": ("when is the boat parade", {"questions": [question("parade", **FESTIVE)], "calls": [call(1, "event_details", names=["Boat Parade"])]}),
    "days": (
        "tell me about river days",
        {"questions": [question("River Days", **FESTIVE)], "calls": [call(1, "festival_details", names=["River Days"])]},
    ),
}


def _at(day: int, hour: int, hours: int, **changes: Any):
    start = datetime(2026, 6, day, hour, tzinfo=UTC)  # an hour behind the town's clock
    made = occurrence(start, start.replace(hour=hour + hours), **changes)
    local = [
        text.replace("+00:00", "+01:00").replace(f"T{h:02}", f"T{h + 1:02}")
        for text, h in ((made.starts_local, hour), (made.ends_local, hour + hours))
    ]
    return replace(made, starts_local=local[0], ends_local=local[1])


def told_rows() -> Content:
    """The example town with every kind of fact: prices, access, addresses, cuisines, scores, tickets."""
    start = town_rows()
    return replace(
        start,
        tags=[
            *start.tags,
            tag("pub", "bar", "inn", parent="food"),
            tag("garden", "beer garden", kind="attribute"),
            tag("dogs-welcome", "dog friendly", kind="attribute"),
            tag("parking", "car park", kind="attribute"),
            tag("french", kind="cuisine"),
            tag("italian", "pasta", kind="cuisine"),
            tag("quiz", kind="topic"),
        ],
        score_kinds=[ScoreKindRow("quiet", "quiet", ("quietest", "peaceful", "calm")), ScoreKindRow("value", "value", ("good value", "value for money"))],
        places=[
            place("blue-door-cafe", name="The Blue Door Café", names=("Blue Door",), category="cafe", tags=("wifi",), hours=DAILY, price="cheap",
                  hours_text="09:00-17:00; Dec 25 off", address="4 Quay Street", postcode="LN1 2AB", phone="+44 1539 555010", wheelchair="yes",
                  website="https://bluedoor.example", scores=(score("quiet", 8.5, "thick walls"), score("value", 7)), prominence=10),
            place("mill-cafe", category="cafe", tags=("garden",), lat=54.4012, lng=-2.961, price="moderate", wheelchair="limited",
                  scores=(score("quiet", 6), score("value", 9)), description="An old corn mill."),
            place("pier-cafe", category="cafe", area="harbour", lat=54.41, lng=-2.951, price="expensive", hours=DAILY, scores=(score("quiet", 9),)),
            place("shut-cafe", category="cafe", lat=54.4001, lng=-2.9601, state="closed_for_good"),
            place("anchor-inn", name="L'Ancre d'Or", category="restaurant", tags=("french",), area="harbour", lat=54.4102, lng=-2.9512,
                  price="expensive", wheelchair="no", address="9 Mole Lane", prominence=6),
            place("olive-press", name="The Olive Press", category="restaurant", tags=("italian", "dogs-welcome"), price="moderate", hours=DAILY,
                  lat=54.3995, lng=-2.962, prominence=5, scores=(score("quiet", 3),)),
            place("crooked-billet", name="The Crooked Billet", category="pub", tags=("garden", "dogs-welcome"), lat=54.3991, lng=-2.9631,
                  price="cheap", address="12 Mill Brow", scores=(score("value", 8),)),
            place("clock-tower", name="Clock Tower", names=("the Clock",), landmark=True, prominence=90, lat=54.4005, lng=-2.9605),
            place("boat-museum", category="museum", area="harbour", lat=None, lng=None, price="free"),
        ],
        festivals=[festival("river-days", name="River Days", names=("The Regatta",), tags=("music",), marks="the opening of the canal",
                            organiser="Lindenmere Boat Club", tickets="£5 a day", location="Harbour")],
        events=[
            event("opening-concert", festival="river-days", tags=("music",), venue="Clock Tower", venue_slug="clock-tower", lat=54.4005, lng=-2.9605,
                  area="Old Town", price="£12", age="16 and over", occurrences=(_at(5, 19, 3, venue="Clock Tower"),)),
            event("boat-parade", festival="river-days", occurrences=(_at(6, 13, 2, state="cancelled", note="high water"),)),
            event("quiz-night", rrule="FREQ=WEEKLY;BYDAY=TU", tags=("quiz",), venue="The Crooked Billet", area="Old Town", price="free",
                  occurrences=tuple(_at(day, 19, 2, venue="The Crooked Billet") for day in (2, 9, 16))),
        ],
    )  # fmt: skip


def told_town(folder: Path) -> Deps:
    """What a run over that town may touch."""
    rows = told_rows()
    return engine(folder, **{name: getattr(rows, name) for name in ("tags", "score_kinds", "places", "festivals", "events")})


def reply_to(deps: Deps, scene: str, *parts: dict[str, Any], again: tuple[dict[str, Any], ...] = ()) -> Mapping[str, Any]:
    """The reply where a model ends a scene with these parts, and with `again` if it is asked once more."""
    query, resolved = SCENES[scene]
    return ask(with_model(deps, ScriptedModel(resolved, final(*parts), final(*(again or parts)))), query)


def composed(deps: Deps, scene: str) -> Mapping[str, Any]:
    """The reply where the model ends a scene without a word, so that the harness composes it."""
    return reply_to(deps, scene)
