"""What one feature with OSM tags becomes."""

import pytest

from places.importers.osm import PARTS, WHOLES, Features
from places.importers.rows import AreaRow, PlaceRow, Refusal
from places.importers.vocabulary import vocabulary
from tests.places.importers.files import LAT, LNG, TOWN, feature, square


def row(made: dict):
    return Features(TOWN, vocabulary()).row(7, made)


def tags(**osm: str) -> list[str]:
    return [tag.name for tag in row(feature(**osm)).tags]


def test_a_feature_keeps_all_that_a_resident_may_ask_for():
    found = row(
        feature(
            name="Blue Anchor", amenity="restaurant", cuisine="italian;pizza", opening_hours="Mo-Su 12:00-22:00", wheelchair="limited",
            contact__phone="+44 1539 440001", website="https://anchor.example", addr__housenumber="4", addr__street="Quay Street",
            addr__postcode="LM1 2AB", description="Ein Haus", description__en="A house", addr__suburb="Harbour",
        )
    )  # fmt: skip
    assert found.fields == {
        "name": "Blue Anchor", "lat": LAT, "lng": LNG, "state": "open", "prominence": 0, "landmark": False, "description": "A house",
        "opening_hours": "Mo-Su 12:00-22:00", "price": "", "wheelchair": "limited", "address": "4 Quay Street", "postcode": "LM1 2AB",
        "phone": "+44 1539 440001", "website": "https://anchor.example", "licence": "ODbL 1.0",
    }  # fmt: skip
    assert (found.where, found.source, found.source_id, found.area_hint) == ("feature 7", "OpenStreetMap", "n1", "Harbour")
    assert [tag.name for tag in found.tags] == ["restaurant", "italian", "pizza"]
    assert found.category.name == "restaurant"


def test_all_names_are_kept_with_their_language():
    found = row(
        feature(name="The Anchor", name__fr="L'Ancre", alt_name="Anchor;Old Anchor", old_name__de="Zum Anker", short_name="TA", name__signed="no")
    )
    assert found.names == {("L'Ancre", "fr"), ("Anchor", ""), ("Old Anchor", ""), ("Zum Anker", "de"), ("TA", "")}


def test_names_are_nfc_on_one_line_without_control_or_turning_characters():
    assert row(feature(name="Cafe\u0301\u202e \x00Blue\n Bar\u0007")).fields["name"] == "Café Blue Bar"


def test_the_joiners_that_some_scripts_need_stay():
    assert row(feature(name="نیم\u200cبها")).fields["name"] == "نیم\u200cبها"


@pytest.mark.parametrize(
    "osm, said",
    [
        ({"amenity": "place_of_worship", "religion": "christian"}, ["church"]),
        ({"amenity": "place_of_worship", "religion": "muslim"}, ["mosque"]),
        ({"amenity": "place_of_worship"}, ["place of worship"]),
        ({"amenity": "parking;fuel"}, ["car park", "petrol station"]),
        ({"amenity": "cafe", "wheelchair": "yes", "internet_access": "wlan"}, ["cafe", "wifi", "step-free"]),
        ({"amenity": "cafe", "cuisine": "Pizza; burger"}, ["cafe", "pizza", "burgers"]),
        ({"amenity": "cafe", "cuisine": "salt_beef"}, ["cafe", "salt beef"]),
        ({"amenity": "", "tourism": "attraction", "historic": "castle"}, ["castle", "attraction"]),
        ({"amenity": "", "tourism": "hotel", "stars": "5"}, ["hotel", "5-star"]),
        ({"amenity": "", "tourism": "information", "information": "office"}, ["tourist office"]),
        ({"amenity": "", "tourism": "information", "information": "board"}, ["information board"]),
        ({"amenity": "", "shop": "puppet_theatre"}, ["puppet theatre"]),
        ({"amenity": "", "shop": "yes"}, ["shop"]),
        ({"amenity": "", "place": "square"}, ["square"]),
        ({"amenity": "", "highway": "bus_stop", "public_transport": "platform", "bus": "yes"}, ["bus stop"]),
        ({"amenity": "yes"}, []),
        ({"amenity": "<script>alert(1)</script>"}, []),
        ({"amenity": "x" * 200}, []),
    ],
)
def test_keys_and_values_become_tags_the_main_one_first(osm: dict, said: list[str]):
    assert tags(**osm) == said


def test_a_value_that_the_file_does_not_list_gets_the_parent_of_its_key():
    assert [(tag.parent, tag.kind) for tag in row(feature(amenity="", shop="puppet_theatre")).tags] == [("shop", "category")]


@pytest.mark.parametrize(
    "osm, state, category",
    [
        ({"amenity": "", "disused:amenity": "pub"}, "closed_for_good", "pub"),
        ({"amenity": "", "abandoned:shop": "bakery"}, "closed_for_good", "bakery"),
        ({"amenity": "", "construction:tourism": "hotel"}, "closed_for_now", "hotel"),
        ({"amenity": "bar", "disused:shop": "bakery"}, "open", "bar"),
        ({"amenity": "bar", "disused": "yes"}, "closed_for_good", "bar"),
        ({"amenity": "bar", "opening_hours": "closed"}, "closed_for_now", "bar"),
        ({"amenity": "bar", "opening_hours": "off"}, "closed_for_now", "bar"),
    ],
)
def test_a_place_that_is_gone_keeps_what_it_was_and_says_so(osm: dict, state: str, category: str):
    made = feature()
    made["properties"] = {key: value for key, value in (made["properties"] | osm).items() if value}
    found = row(made)
    assert (found.fields["state"], found.category.name) == (state, category)


def test_free_entry_is_a_price():
    assert [row(feature(fee=fee)).fields["price"] for fee in ("no", "yes")] == ["free", ""]


@pytest.mark.parametrize("website", ["javascript:alert(1)", "data:text/html,x", "https://a.example/ <b>", "//evil"])
def test_what_is_no_web_address_is_left_out_and_noted(website: str):
    found = row(feature(website=website))
    assert (found.fields["website"], len(found.notes)) == ("", 1)


def test_a_line_is_placed_at_its_middle_and_an_outline_inside_itself():
    line = row(feature(geometry={"type": "LineString", "coordinates": [[LNG, LAT], [LNG + 0.02, LAT]]}))
    assert (line.lat, line.lng) == (LAT, LNG + 0.01)
    outline = row(feature(geometry=square(LAT, LNG, 0.01)))
    assert abs(outline.lat - LAT) < 0.01 > abs(outline.lng - LNG)


def test_an_outline_that_crosses_itself_still_gives_a_point_on_it():
    bow = {"type": "Polygon", "coordinates": [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]}
    found = row(feature(geometry=bow))
    assert (0 < found.lat < 2, 0 < found.lng < 2) == (True, True)


@pytest.mark.parametrize("value", sorted(PARTS))
def test_parts_of_the_town_are_areas(value: str):
    found = row(feature(name="Harbour", place=value, amenity="", geometry=square(LAT, LNG, 0.01)))
    assert (type(found), found.name, found.outline["type"]) == (AreaRow, "Harbour", "Polygon")


def test_an_area_given_as_a_point_has_its_middle_alone():
    found = row(feature(name="Harbour", place="suburb", name__fr="Le Port"))
    assert (found.lat, found.lng, found.outline, found.names) == (LAT, LNG, None, {("Le Port", "fr")})


@pytest.mark.parametrize("value", sorted(WHOLES))
def test_the_town_itself_is_accounted_for_and_no_fault(value: str):
    found = row(feature(name="Lindenmere", place=value))
    assert (type(found), found.fault) == (Refusal, False)


def test_a_village_that_bears_the_towns_name_is_the_town():
    assert row(feature(name="LINDENMERE", place="village")).fault is False


def test_a_small_administrative_boundary_is_an_area_and_a_large_one_is_not():
    made = [row(feature(boundary="administrative", admin_level=level, geometry=square(LAT, LNG, 0.01))) for level in ("10", "8", "")]
    assert [type(found) for found in made] == [AreaRow, Refusal, Refusal]


@pytest.mark.parametrize(
    "made, said",
    [
        (feature() | {"geometry": None}, "it has no geometry"),
        (feature() | {"geometry": {"type": "Point", "coordinates": []}}, "its geometry is empty"),
        (feature() | {"geometry": {"type": "Blob", "coordinates": [1, 2]}}, "its geometry cannot be read"),
        (feature() | {"geometry": {"type": "Point", "coordinates": ["a", "b"]}}, "its geometry cannot be read"),
        (feature() | {"geometry": {"type": "Point", "coordinates": [float("inf"), 1.0]}}, "its coordinates are no finite numbers"),
        (feature() | {"geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 1]]]}}, "its geometry cannot be read"),
        (feature() | {"properties": None}, "it has no properties"),
        (feature() | {"type": "Thing"}, "it is no Feature of RFC 7946"),
        (feature(name="x" * 201), "name has 201 characters, and at most 200 are kept"),
        (feature(phone="1" * 101), "phone has 101 characters"),
        ([], "it is no Feature"),
    ],
)
def test_a_feature_that_cannot_be_taken_says_why(made: dict, said: str):
    found = row(made)
    assert (type(found), said in found.reason, found.fault) == (Refusal, True, True)


def test_a_mapped_thing_without_a_name_is_left_and_no_fault():
    found = row(feature(name="", amenity="bench"))
    assert (found.reason, found.fault) == ("it has no name", False)


def test_a_shop_without_a_name_has_that_of_its_brand():
    assert row(feature(name="", shop="books", brand="Ink and Co")).fields["name"] == "Ink and Co"


@pytest.mark.parametrize("written, identity", [("node/12", "n12"), ("way/3", "w3"), ("n12", "n12"), (12, "12"), ("relation/9", "r9")])
def test_an_id_is_the_same_however_an_exporter_writes_it(written: object, identity: str):
    assert row(feature() | {"id": written}).source_id == identity


def test_a_feature_without_an_id_gets_the_same_one_every_time():
    made = feature()
    del made["id"]
    assert row(made).source_id == row(made).source_id
    assert row(made).source_id.startswith("at:")


@pytest.mark.parametrize(
    "osm, known, landmark",
    [
        ({"amenity": "cafe"}, 0, False),
        ({"amenity": "cafe", "wikidata": "Q1"}, 20, True),
        ({"amenity": "place_of_worship", "religion": "christian"}, 15, True),
        ({"amenity": "theatre", "wikidata": "Q1", "wikipedia": "en:X", "name__fr": "X", "name__de": "X", "heritage": "2"}, 74, True),
        ({"tourism": "hotel", "amenity": ""}, 10, False),
    ],
)
def test_fame_is_the_documented_sum(osm: dict, known: int, landmark: bool):
    fields = row(feature(**osm)).fields
    assert (fields["prominence"], fields["landmark"]) == (known, landmark)


def test_a_place_is_a_place_row():
    assert type(row(feature())) is PlaceRow
