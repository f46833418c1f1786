"""Curated rows for tests: each function saves one row that holds, with what the test names and plain values for the rest.

Names and ids count up, so two rows never collide. `full_clean` is not run: a test that wants a bad row gets it as far as the database.
"""

from datetime import timedelta
from itertools import count
from typing import Any

from festivals.models import Event, Festival
from places.models import Area, Place, Score, ScoreKind, Status, Synonym, Tag
from tests.clock import NOW

NUMBERS = count(1)


def area(**fields: Any) -> Area:
    number = next(NUMBERS)
    return Area.objects.create(
        **{"slug": f"area-{number}", "name": f"Area {number}", "lat": 54.40, "lng": -2.96, "status": Status.PUBLISHED, **fields}
    )


def tag(name: str = "", *synonyms: str, **fields: Any) -> Tag:
    """A tag with its synonyms."""
    number = next(NUMBERS)
    made = Tag.objects.create(**{"slug": f"tag-{number}", "name": name or f"tag {number}", **fields})
    Synonym.objects.bulk_create(Synonym(tag=made, phrase=phrase) for phrase in synonyms)
    return made


def category(name: str = "", *synonyms: str, **fields: Any) -> Tag:
    return tag(name, *synonyms, **{"kind": Tag.Kind.CATEGORY, **fields})


def score_kind(name: str = "", **fields: Any) -> ScoreKind:
    number = next(NUMBERS)
    return ScoreKind.objects.create(**{"slug": f"score-{number}", "name": name or f"score {number}", **fields})


def place(*tags: Tag, **fields: Any) -> Place:
    """A published place with these tags, in the middle of the town."""
    number = next(NUMBERS)
    made = Place.objects.create(
        **{"slug": f"place-{number}", "name": f"Place {number}", "lat": 54.40, "lng": -2.96, "status": Status.PUBLISHED, **fields}
    )
    made.tags.set(tags)
    return made


def score(place: Place, kind: ScoreKind, value: float = 7, **fields: Any) -> Score:
    return Score.objects.create(place=place, kind=kind, value=value, **fields)


def festival(*tags: Tag, **fields: Any) -> Festival:
    number = next(NUMBERS)
    made = Festival.objects.create(**{"slug": f"festival-{number}", "name": f"Festival {number}", "status": Status.PUBLISHED, **fields})
    made.tags.set(tags)
    return made


def event(*tags: Tag, **fields: Any) -> Event:
    """A published event of an hour, starting now unless the test says when."""
    number = next(NUMBERS)
    starts = fields.get("starts", NOW)
    usual = {"slug": f"event-{number}", "title": f"Event {number}", "starts": starts, "ends": starts + timedelta(hours=1), "status": Status.PUBLISHED}
    made = Event.objects.create(**{**usual, **fields})
    made.tags.set(tags)
    return made
