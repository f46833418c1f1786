"""What a publisher should know of the events before a snapshot is made. What blocks a publish is in `festivals.export.Rows.refused`."""

from collections.abc import Iterator

from festivals.models import Event, Festival
from places.export import by_slug, nfc, published
from places.models import Place


def warnings(using: str = "default") -> Iterator[str]:
    """Published events that lose something, because what they refer to is not published."""
    events = published(Event, using).order_by(by_slug(using))
    lost_place = events.filter(place__isnull=False).exclude(place__in=published(Place, using))
    for slug, title, place in lost_place.values_list("slug", "title", "place__slug"):
        yield f"event {slug} ({nfc(title)}) loses its place {place}, which is not published"
    lost_festival = events.filter(festival__isnull=False).exclude(festival__in=published(Festival, using))
    for slug, title, festival in lost_festival.values_list("slug", "title", "festival__slug"):
        yield f"event {slug} ({nfc(title)}) loses its festival {festival}, which is not published"
