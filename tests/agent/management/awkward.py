"""A small town in which every value occurs that two databases keep or sort differently."""

from datetime import timedelta
from decimal import Decimal

from festivals.models import EventException, FestivalName
from places.models import Area, AreaName, PlaceName, ScoreKind, Status, Tag
from tests import factories
from tests.clock import NOW

OUTLINE = {"type": "Polygon", "coordinates": [[[-3, 54], [-2.9, 54], [-2.9, 54.123456789012345], [-3, 54]]], "bbox": [1e-7, 1e2, 3, 4]}
SLUGS = ("a", "B", "a-b", "a_b", "ab", "0")


def save(backwards: bool = False) -> None:
    """Save the town's rows, the last first where `backwards`, so that the databases' own keys differ."""
    step = -1 if backwards else 1
    kinds = [factories.score_kind(slug=slug, name=slug, words="calm; peaceful") for slug in ("quiet", "Views")[::step]]
    tags = [factories.tag(name, *synonyms[::step], slug=name) for name, *synonyms in (("cafe", "Öl", "zeta", "Alpha"), ("wifi", "WLAN"))[::step]]
    harbour = factories.area(slug="harbour", name="Harbour", outline=OUTLINE)
    AreaName.objects.bulk_create(AreaName(area=harbour, text=text, lang="fr") for text in ("Port", "àport", "Zport")[::step])
    for slug in SLUGS[::step]:
        _place(slug, harbour, tags, kinds, step)
    _events(tags, step)


def _place(slug: str, area: Area, tags: list[Tag], kinds: list[ScoreKind], step: int) -> None:
    hours = "Mo-Fr 09:00-17:00; PH off; Dec 24 09:00-12:00"
    place = factories.place(*tags, slug=slug, name=f"Place {slug} e\u0301", lat=54.4 + 1e-13, lng=-2.9612345678901234, area=area, opening_hours=hours)
    PlaceName.objects.bulk_create(
        PlaceName(place=place, text=text, lang=lang) for text, lang in (("Zed", "de"), ("ábc", "fr"), ("abc", "fr"))[::step]
    )
    for kind in kinds:
        factories.score(place, kind, Decimal("7.3"), reason=f"because {kind.slug}", method="survey")


def _events(tags: list[Tag], step: int) -> None:
    lights = factories.festival(*tags, slug="lights", name="Fe\u0302te")
    FestivalName.objects.bulk_create(FestivalName(festival=lights, text=text) for text in ("b", "A", "á")[::step])
    weekly = factories.event(*tags, slug="weekly", festival=lights, rrule="FREQ=WEEKLY;BYDAY=FR", place=factories.place(slug="venue"))
    dates = [{"kind": "cancelled", "original": NOW + timedelta(weeks=1)}, {"kind": "added", "starts": NOW + timedelta(days=2), "note": "extra"}]
    for date in dates[::step]:
        EventException.objects.create(event=weekly, **date)
    factories.event(slug="all-day", all_day=True, starts=NOW.replace(hour=0, minute=0), ends=None, venue="Church")
    factories.event(slug="draft", status=Status.DRAFT)
