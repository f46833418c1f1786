"""The places of Lindenmere, the invented town that ships with the product. The data is in the TOML files beside this module."""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.utils.text import slugify

from places.demo.keep import Keeper, Tally, checked_on, plain, read
from places.models import Area, Place, ScoreKind, Status, Synonym, Tag

HERE = Path(__file__).parent
_PLAIN = ("name", "description", "price", "wheelchair", "address", "phone", "state", "landmark", "prominence")


def load_places(today: date, seed: int, tally: Tally) -> None:
    """Bring areas, tags, score kinds and places to what the files say. `today` and `seed` decide only when a row was last checked."""
    areas = _areas(today, seed, tally)
    tags = load_tags(tally)
    kinds = _score_kinds(tally)
    keeper = Keeper(Place, tally, "area", "category", "tags", "names", "scores")
    for entry in places():
        slug = entry["slug"]
        fields = _fields(entry) | {"area": areas[entry["area"]], "category": tags[entry["category"]], "checked_on": checked_on(today, seed, slug)}
        keeper.keep(slug, fields, [tags[name] for name in tag_names(entry)], {"names": _names(entry), "scores": _scores(entry, kinds)})


def places() -> Iterator[dict[str, Any]]:
    """The entries of the files, each with its `slug` and the `area` of its file."""
    for file in sorted((HERE / "places").glob("*.toml")):
        data = read(file)
        for entry in data["place"]:
            yield {"slug": slugify(entry["name"]), "area": data["area"], **entry}


def tag_names(entry: Mapping[str, Any]) -> list[str]:
    """All that a place is tagged with: its category, its tags, and "step-free" where a wheelchair gets in."""
    step_free = ["step-free"] if entry.get("wheelchair") == Place.Wheelchair.YES else []
    return [entry["category"], *entry.get("tags", []), *step_free]


def load_tags(tally: Tally) -> dict[str, Tag]:
    """The tags by name, made where they are missing. A tag that is there already keeps its kind and parent and only gains words."""
    kept = {tag.name: tag for tag in Tag.objects.all()}
    data = read(HERE / "tags.toml")
    entries = {name: (kind, entry) for kind, group in data.items() for name, entry in group.items()}
    for name in sorted(entries, key=lambda name: _depth(name, entries)):
        kind, entry = entries[name]
        tally.add(Tag, "same" if name in kept else "new")
        if name not in kept:
            kept[name] = Tag(slug=slugify(name), name=name, kind=kind, parent=kept.get(entry.get("parent", "")))
            kept[name].full_clean(validate_constraints=False)
            kept[name].save()
    _synonyms({kept[name]: entry["words"] for name, (_, entry) in entries.items()}, tally)
    return kept


def _depth(name: str, entries: Mapping[str, tuple[str, Mapping[str, Any]]]) -> int:
    parent = entries[name][1].get("parent")
    return 0 if parent is None else 1 + _depth(parent, entries)


def _synonyms(words: Mapping[Tag, list[str]], tally: Tally) -> None:
    kept = set(Synonym.objects.values_list("tag", "phrase"))
    wanted = [Synonym(tag=tag, phrase=phrase) for tag, phrases in words.items() for phrase in phrases]
    missing = [synonym for synonym in wanted if (synonym.tag_id, synonym.phrase) not in kept]
    for synonym in missing:
        synonym.clean_fields(exclude={"tag"})
    Synonym.objects.bulk_create(missing)
    for synonym in wanted:
        tally.add(Synonym, "same" if (synonym.tag_id, synonym.phrase) in kept else "new")


def _score_kinds(tally: Tally) -> dict[str, ScoreKind]:
    kinds = {}
    for slug, entry in read(HERE / "scores.toml").items():
        kinds[slug], new = ScoreKind.objects.get_or_create(slug=slug, defaults={"name": entry["name"], "words": "; ".join(entry["words"])})
        tally.add(ScoreKind, "new" if new else "same")
    return kinds


def _areas(today: date, seed: int, tally: Tally) -> dict[str, Area]:
    keeper = Keeper(Area, tally, "names")
    areas = {}
    for entry in read(HERE / "areas.toml")["area"]:
        slug = slugify(entry["name"])
        lat, lng = entry["at"]
        fields = {"name": entry["name"], "status": Status.PUBLISHED, "lat": lat, "lng": lng, "outline": _outline(entry)}
        areas[entry["name"]] = keeper.keep(slug, fields | {"checked_on": checked_on(today, seed, slug)}, parts={"names": _names(entry)})
    return areas


def _outline(entry: Mapping[str, Any]) -> dict[str, Any] | None:
    """A ring of (lat, lng) corners as a GeoJSON polygon: lng before lat, closed, counter-clockwise (RFC 7946)."""
    if "outline" not in entry:
        return None
    ring = [[lng, lat] for lat, lng in entry["outline"]]
    twice_area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))
    ring = ring if twice_area > 0 else ring[::-1]
    return {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}


def _fields(entry: Mapping[str, Any]) -> dict[str, Any]:
    lat, lng = entry["at"]
    website = f"https://{entry['slug']}.example.org/" if entry.get("website") else ""
    return plain(Place, entry, _PLAIN) | {
        "lat": lat,
        "lng": lng,
        "opening_hours": entry.get("hours", ""),
        "website": website,
        "status": entry.get("status", Status.PUBLISHED),
    }


def _names(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"text": text, "lang": lang} for text, lang in entry.get("names", [])]


def _scores(entry: Mapping[str, Any], kinds: Mapping[str, ScoreKind]) -> list[dict[str, Any]]:
    return [
        {"kind": kinds[kind], "value": Decimal(str(value)), "reason": reason, "method": "curator"} for kind, value, reason in entry.get("scores", [])
    ]
