"""What a publisher should know of the places before a snapshot is made."""

from collections import Counter
from collections.abc import Iterator

from django.db.models import Q

from agent.types import Town
from places import hours
from places.export import by_slug, nfc, published
from places.models import Area, Place


def count(using: str = "default") -> int:
    """How many places would be published."""
    return published(Place, using).count()


def blockers(using: str = "default") -> Iterator[str]:
    """What keeps the places from being published: none of them is, or one has no position of its own and no area that has one."""
    places = published(Place, using)
    if not places.exists():
        yield "no place is published: import some with --status published, or set their status to published in the admin"
    somewhere = published(Area, using).filter(lat__isnull=False)
    for slug, name in places.filter(lat=None).exclude(area__in=somewhere).order_by(by_slug(using)).values_list("slug", "name"):
        yield f"place {slug} ({nfc(name)}) has no position, nor has its area one that is published: give it lat and lng"


def warnings(town: Town, using: str = "default") -> Iterator[str]:
    """What is published as it stands, and should be looked at: points outside the town, hours that cannot be used, areas left out."""
    places = published(Place, using).order_by(by_slug(using))
    box = town.bbox
    outside = Q(lat__lt=box.south) | Q(lat__gt=box.north) | Q(lng__lt=box.west) | Q(lng__gt=box.east)
    for slug, name, lat, lng in places.filter(outside).values_list("slug", "name", "lat", "lng"):
        yield f"place {slug} ({nfc(name)}) at {lat}, {lng} lies outside the town's bbox"
    for slug, name, area in places.filter(area__isnull=False).exclude(area__in=published(Area, using)).values_list("slug", "name", "area__slug"):
        yield f"place {slug} ({nfc(name)}) loses its area {area}, which is not published"
    yield from _unusable_hours(town, using)


def _unusable_hours(town: Town, using: str) -> Iterator[str]:
    """One line a text, however many places have it."""
    texts = Counter(published(Place, using).exclude(opening_hours="").order_by().values_list("opening_hours", flat=True).iterator())
    for text in sorted(texts):
        why = hours.problem(text, town)
        if why:
            named = published(Place, using).filter(opening_hours=text).order_by(by_slug(using)).values_list("slug", flat=True)[:3]
            more = f" and {texts[text] - 3} more" if texts[text] > 3 else ""
            yield f"the hours {text!r} of {', '.join(named)}{more} are shown as not known. {why}"
