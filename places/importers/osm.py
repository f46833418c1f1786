"""One GeoJSON feature with OSM tags, read into a place, an area, or the reason why it is neither.

The keys and values are those of the OSM wiki's Map features page (names: Key:name and Names; opening hours, wheelchair, contact, addr: likewise).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from agent.snapshot.names import fold
from agent.types import Town
from places.importers import clean, geometry
from places.importers.prominence import is_landmark, prominence
from places.importers.rows import AreaRow, BadRow, Names, PlaceRow, Refusal, Row
from places.importers.vocabulary import TagWord, Vocabulary
from places.models import Place

SOURCE = "OpenStreetMap"
LICENCE = "ODbL 1.0"

# place=* values that are parts of a town, and those that are the town itself or what lies around it. A square is a place, not an area.
PARTS = {
    "borough",
    "suburb",
    "quarter",
    "neighbourhood",
    "city_block",
    "village",
    "hamlet",
    "isolated_dwelling",
    "locality",
    "island",
    "archipelago",
    "town",
}
WHOLES = {"city", "municipality", "country", "state", "province", "region", "county", "district", "continent", "sea", "ocean"}

_NAME_KEYS = ("name", "alt_name", "old_name", "official_name", "short_name", "loc_name", "int_name", "nat_name", "reg_name")
_LANGUAGE = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]{2,8})?")
_ID = re.compile(r"(node|way|relation)s?/(\d+)")
_OVER = ("disused", "abandoned", "demolished", "razed", "removed", "was", "closed")
_NOT_YET = ("construction", "proposed", "planned")
_OFF = {"closed", "off"}


class Features:
    """Reads features of one file. `where` in its results is the feature's number and id."""

    def __init__(self, town: Town, vocabulary: Vocabulary) -> None:
        self._town = town
        self._vocabulary = vocabulary

    def row(self, number: int, feature: Any) -> Row:
        """The row of a feature, counted from 1."""
        where, identity = f"feature {number}", ""
        try:
            osm = _tags(feature)
            identity = _identity(feature, osm)
            return self._row(where, identity, feature, osm)
        except BadRow as error:
            return Refusal(where, identity, str(error))

    def _row(self, where: str, identity: str, feature: Mapping[str, Any], osm: dict[str, str]) -> Row:
        name = clean.fitting("name", osm.get("name") or osm.get("brand", ""))
        if not name:
            return Refusal(where, identity, "it has no name", fault=not any(key in osm for key in self._vocabulary.main_keys))
        shape = geometry.read(feature.get("geometry"))
        lat, lng = geometry.point_of(shape)
        source_id = identity or clean.stand_in_id(name, lat, lng)
        if self._is_whole_town(osm, name):
            return Refusal(where, source_id, f"{name} is the town itself or what lies around it, not a part of it", fault=False)
        if osm.get("place") in PARTS or osm.get("boundary") == "administrative":
            outline = geometry.outline_of(shape)
            return AreaRow(where, SOURCE, source_id, LICENCE, name, _names(osm, name), lat, lng, outline)
        return self._place(where, source_id, osm, name, lat, lng)

    def _is_whole_town(self, osm: Mapping[str, str], name: str) -> bool:
        if osm.get("place") in WHOLES:
            return True
        if osm.get("boundary") == "administrative" and "place" not in osm:
            return not osm.get("admin_level", "").isdigit() or int(osm["admin_level"]) < 9
        return osm.get("place") in {"town", "village", "island"} and fold(name) == fold(self._town.name)

    def _place(self, where: str, source_id: str, osm: dict[str, str], name: str, lat: float, lng: float) -> PlaceRow:
        living, state = _state(osm, self._vocabulary.main_keys)
        tags = self._vocabulary.of(living)
        names = _names(osm, name)
        known = prominence([tag.name for tag in tags], names, osm)
        website, note = clean.website(_first(osm, "website", "contact:website", "url"))
        fields = {
            "name": name, "lat": lat, "lng": lng, "state": state, "prominence": known, "landmark": is_landmark(known),
            "description": clean.text(self._description(osm)),
            "opening_hours": "" if osm.get("opening_hours", "").strip().lower() in _OFF else clean.text(osm.get("opening_hours")),
            "price": Place.Price.FREE if osm.get("fee") == "no" else "",
            "wheelchair": {"yes": "yes", "designated": "yes", "limited": "limited", "no": "no"}.get(osm.get("wheelchair", ""), ""),
            "address": clean.fitting("address", _address(osm)),
            "postcode": clean.fitting("postcode", _first(osm, "addr:postcode", "contact:postcode")),
            "phone": clean.fitting("phone", _first(osm, "phone", "contact:phone", "mobile", "contact:mobile")),
            "website": website, "licence": LICENCE,
        }  # fmt: skip
        hint = _first(osm, "addr:neighbourhood", "addr:quarter", "addr:suburb", "addr:hamlet", "addr:place")
        return PlaceRow(where, SOURCE, source_id, fields, names, tuple(tags), _category(tags), area_hint=hint, notes=(note,) if note else ())

    def _description(self, osm: Mapping[str, str]) -> str:
        return _first(osm, *(f"description:{lang}" for lang in self._town.languages), "description")


def _tags(feature: Any) -> dict[str, str]:
    if not isinstance(feature, Mapping) or feature.get("type") != "Feature":
        raise BadRow("it is no Feature of RFC 7946")
    properties = feature.get("properties")
    if not isinstance(properties, Mapping):
        raise BadRow("it has no properties")
    nested = properties.get("tags")  # osmtogeojson and others put the tags one level deeper
    both = {**properties, **nested} if isinstance(nested, Mapping) else properties
    return {str(key): str(value) for key, value in both.items() if isinstance(value, (str, int, float)) and not isinstance(value, bool)}


def _identity(feature: Mapping[str, Any], osm: Mapping[str, str]) -> str:
    """The feature's id; "node/123" and "n123" are the same node, as two exporters write it."""
    raw = feature.get("id")
    words = clean.text(raw if raw is not None else _first(osm, "@id", "full_id", "id"))
    match = _ID.fullmatch(words)
    return (f"{match[1][0]}{match[2]}" if match else words)[:200]


def _first(osm: Mapping[str, str], *keys: str) -> str:
    return next((osm[key] for key in keys if osm.get(key)), "")


def _names(osm: Mapping[str, str], name: str) -> Names:
    return frozenset(pair for pair in _all_names(osm) if pair != (name, "") and 0 < len(pair[0]) <= clean.LIMITS["name"])


def _all_names(osm: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for key, value in osm.items():
        base, _, lang = key.partition(":")
        if base in _NAME_KEYS and (not lang or (len(lang) <= 12 and _LANGUAGE.fullmatch(lang))):
            for part in [value] if base == "name" else value.split(";"):
                yield clean.text(part), lang


def _state(osm: Mapping[str, str], main_keys: tuple[str, ...]) -> tuple[dict[str, str], Place.State]:
    """The tags of what the place is or was, and its state: `disused:amenity=pub` alone is a pub that is closed for good."""
    living = dict(osm)
    if any(key in osm for key in main_keys if key != "building"):
        hours = osm.get("opening_hours", "").strip().lower()
        gone = osm.get("disused") == "yes" or osm.get("abandoned") == "yes"
        return living, Place.State.CLOSED_FOR_GOOD if gone else Place.State.CLOSED_FOR_NOW if hours in _OFF else Place.State.OPEN
    for prefixes, state in ((_OVER, Place.State.CLOSED_FOR_GOOD), (_NOT_YET, Place.State.CLOSED_FOR_NOW)):
        former = {key.split(":", 1)[1]: value for key, value in osm.items() if key.split(":", 1)[0] in prefixes and ":" in key}
        if any(key in main_keys for key in former):
            return {**former, **living}, state
    return living, Place.State.OPEN


def _address(osm: Mapping[str, str]) -> str:
    full = _first(osm, "addr:full", "address")
    street = _first(osm, "addr:street", "contact:street", "addr:place")
    number = _first(osm, "addr:housenumber", "contact:housenumber")
    return full or f"{number} {street}" if street else full


def _category(tags: list[TagWord]) -> TagWord | None:
    return next((tag for tag in tags if tag.kind == "category"), None)
