"""What an import writes, what it leaves, and that a second one writes nothing."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from places.importers.run import import_places
from places.models import Area, Place, PlaceName, Score, Status, Synonym, Tag
from tests import factories
from tests.places.importers.files import HEADING, LAT, LNG, TOWN, feature, geojson, line, square, table, workbook

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
SCORED = "id,name,lat,lng,score_quiet,score_quiet_reason,name_fr"


def counts(report) -> tuple[int, int, int, int]:
    return report.new, report.changed, report.same, report.refused


def test_a_second_import_finds_all_the_same_and_writes_nothing(tmp_path):
    path = geojson(
        tmp_path, feature(1, name__fr="Un"), feature(2, cuisine="pizza"), feature(3, place="suburb", amenity="", geometry=square(LAT, LNG, 0.01))
    )
    assert counts(import_places(path, TOWN)) == (3, 0, 0, 0)
    with CaptureQueriesContext(connection) as queries:
        assert counts(import_places(path, TOWN)) == (0, 0, 3, 0)
    assert [query["sql"] for query in queries if query["sql"].startswith(("INSERT", "UPDATE", "DELETE"))] == []


def test_a_second_import_of_a_table_finds_all_the_same(tmp_path):
    path = table(tmp_path, f"1,Blue Bar,{LAT},{LNG},9.5,no music,Bar Bleu", heading=SCORED)
    assert counts(import_places(path, TOWN)) == (1, 0, 0, 0)
    assert counts(import_places(path, TOWN)) == (0, 0, 1, 0)


def test_what_changed_at_the_source_is_changed_and_the_public_id_stays(tmp_path):
    import_places(geojson(tmp_path, feature(1, name="Blue Bar", cuisine="pizza", name__fr="Bar Bleu"), feature(2)), TOWN)
    report = import_places(geojson(tmp_path, feature(1, name="Red Bar", cuisine="thai", phone="12", name__de="Rote Bar"), feature(2)), TOWN)
    place = Place.objects.get(source_id="n1")
    assert counts(report) == (0, 1, 1, 0)
    assert (place.slug, place.name, place.phone) == ("blue-bar", "Red Bar", "12")
    assert {tag.name for tag in place.tags.all()} == {"cafe", "thai"}
    assert [(name.text, name.lang) for name in place.names.all()] == [("Rote Bar", "de")]


def test_a_row_is_known_by_its_source_and_id_and_never_by_its_name(tmp_path):
    factories.place(slug="blue-bar", name="Blue Bar")
    assert counts(import_places(geojson(tmp_path, feature(1, name="Blue Bar"), feature(2, name="Blue Bar")), TOWN)) == (2, 0, 0, 0)
    assert sorted(Place.objects.values_list("slug", flat=True)) == ["blue-bar", "blue-bar-2", "blue-bar-3"]


def test_new_places_wait_for_review_unless_they_are_accepted_at_once(tmp_path):
    path = geojson(tmp_path, feature(1))
    import_places(path, TOWN)
    assert Place.objects.get().status == Status.IN_REVIEW
    assert counts(import_places(path, TOWN, status=Status.PUBLISHED)) == (0, 1, 0, 0)
    assert Place.objects.get().status == Status.PUBLISHED
    assert counts(import_places(path, TOWN)) == (0, 0, 1, 0)


def test_a_withdrawn_place_is_never_brought_back(tmp_path):
    path = geojson(tmp_path, feature(1))
    import_places(path, TOWN)
    Place.objects.update(status=Status.WITHDRAWN)
    import_places(path, TOWN, status=Status.PUBLISHED)
    assert Place.objects.get().status == Status.WITHDRAWN


def test_a_table_may_hold_a_place_back_and_cannot_publish_itself(tmp_path):
    rows = (f"{status},{LAT},{LNG},{status}" for status in ("draft", "withdrawn", "published", "closed for good"))
    import_places(table(tmp_path, *rows, heading="name,lat,lng,status"), TOWN)
    found = {place.name: (place.status, place.state) for place in Place.objects.all()}
    assert found == {
        "draft": ("draft", "open"),
        "withdrawn": ("withdrawn", "open"),
        "published": ("in_review", "open"),
        "closed for good": ("in_review", "closed_for_good"),
    }


def test_a_dry_run_reports_the_same_and_writes_nothing(tmp_path):
    path = table(tmp_path, line(1), line(2))
    report = import_places(path, TOWN, dry_run=True)
    assert (counts(report), report.areas_made) == ((2, 0, 0, 0), ["Old Town"])
    assert (Place.objects.count(), Area.objects.count(), Tag.objects.count()) == (0, 0, 0)


@pytest.mark.rule("A-21")
def test_text_of_a_file_is_data_and_never_sql(tmp_path):
    path = geojson(tmp_path, feature(1, name="x'); DROP TABLE places_place;--", description="=cmd|' /C calc'!A0"))
    import_places(path, TOWN)
    place = Place.objects.get()
    assert (place.name, place.description) == ("x'); DROP TABLE places_place;--", "=cmd|' /C calc'!A0")


def test_a_field_that_a_curator_locked_stays_and_the_report_says_so(tmp_path):
    import_places(geojson(tmp_path, feature(1, phone="11", cuisine="pizza", name__fr="Un")), TOWN)
    place = Place.objects.get()
    Place.objects.update(phone="22", locked_fields=["phone", "tags", "names", "lat", "category", "area"])
    place.tags.set([factories.tag("curated")])
    report = import_places(geojson(tmp_path, feature(1, LAT + 0.001, LNG + 0.001, phone="33", website="https://a.example", cuisine="thai")), TOWN)
    place.refresh_from_db()
    assert (place.phone, place.lat, place.lng, place.website) == ("22", LAT, LNG, "https://a.example")
    assert [tag.name for tag in place.tags.all()] == ["curated"]
    assert [name.text for name in place.names.all()] == ["Un"]
    assert {entry.rpartition(" ")[2] for entry in report.kept} == {"phone", "lat", "lng", "tags", "names"}


def test_a_row_whose_only_difference_is_locked_counts_as_the_same(tmp_path):
    import_places(geojson(tmp_path, feature(1, phone="11")), TOWN)
    Place.objects.update(phone="22", locked_fields=["phone"])
    report = import_places(geojson(tmp_path, feature(1, phone="11")), TOWN)
    assert (counts(report), report.kept) == ((0, 0, 1, 0), ["feature 1 (place-1): phone"])


def test_an_imported_score_is_replaced_and_a_curators_score_stays(tmp_path):
    import_places(table(tmp_path, f"1,Blue Bar,{LAT},{LNG},9.5,no music,", heading=SCORED), TOWN)
    assert list(Score.objects.values_list("kind__name", "value", "reason", "method")) == [("quiet", Decimal("9.5"), "no music", "import")]
    import_places(table(tmp_path, f"1,Blue Bar,{LAT},{LNG},3,music now,", heading=SCORED), TOWN)
    assert list(Score.objects.values_list("value", "reason")) == [(Decimal(3), "music now")]
    Score.objects.update(value=8, method=Score.Method.CURATOR)
    report = import_places(table(tmp_path, f"1,Blue Bar,{LAT},{LNG},1,,", heading=SCORED), TOWN)
    assert (Score.objects.get().value, len(report.kept)) == (Decimal(8), 1)


def test_a_column_that_the_table_does_not_have_leaves_the_field_alone(tmp_path):
    import_places(table(tmp_path, line(1)), TOWN)
    import_places(table(tmp_path, f"1,Renamed,{LAT},{LNG}", heading="id,name,lat,lng"), TOWN)
    place = Place.objects.get()
    assert (place.name, place.phone, place.price, place.tags.count()) == ("Renamed", "01539 440001", "cheap", 2)


def test_known_tags_come_with_synonyms_and_parents_and_those_of_the_town_are_used_as_they_are(tmp_path):
    factories.tag("without wires", "wifi", slug="without-wires")
    import_places(table(tmp_path, f"1,Blue Bar,restaurant,{LAT},{LNG},wifi;own word", heading="id,name,category,lat,lng,tags"), TOWN)
    place = Place.objects.get()
    assert sorted(tag.name for tag in place.tags.all()) == ["own word", "restaurant", "without wires"]
    assert (place.category.name, place.category.parent.name) == ("restaurant", "place to eat")
    assert Synonym.objects.filter(tag__name="place to eat", phrase="somewhere to eat").count() == 1
    assert Tag.objects.get(name="own word").kind == Tag.Kind.ATTRIBUTE


def test_a_synonym_that_a_curator_took_away_does_not_come_back(tmp_path):
    path = geojson(tmp_path, feature(1))
    import_places(path, TOWN)
    Synonym.objects.filter(tag__name="cafe").delete()
    import_places(path, TOWN)
    assert Synonym.objects.filter(tag__name="cafe").count() == 0


def test_the_category_parking_is_a_car_park_and_the_tag_parking_is_what_a_place_has(tmp_path):
    heading = "name,category,lat,lng,tags"
    import_places(table(tmp_path, f"North,parking,{LAT},{LNG},", f"Inn,hotel,{LAT},{LNG},parking", heading=heading), TOWN)
    found = {place.name: (place.category.name, sorted(tag.name for tag in place.tags.all())) for place in Place.objects.all()}
    assert found == {"North": ("car park", ["car park"]), "Inn": ("hotel", ["hotel", "parking"])}


def test_a_place_is_in_the_smallest_outline_around_it_else_where_its_address_says_else_near_a_middle(tmp_path):
    path = geojson(
        tmp_path,
        feature(1, name="Wide", place="quarter", geometry=square(LAT, LNG, 0.02)),
        feature(2, name="Narrow", place="suburb", geometry=square(LAT, LNG, 0.005)),
        feature(3, LAT + 0.03, LNG, name="Hill", place="hamlet"),
        feature(11, LAT, LNG),
        feature(12, LAT + 0.015, LNG, addr__suburb="Narrow"),
        feature(13, LAT + 0.031, LNG),
        feature(14, LAT + 0.03, LNG + 0.05),
        feature(15, LAT + 0.03, LNG + 0.05, addr__suburb="narrow"),
    )
    import_places(path, TOWN)
    found = {place.source_id: place.area and place.area.name for place in Place.objects.select_related("area")}
    assert found == {"n11": "Narrow", "n12": "Wide", "n13": "Hill", "n14": None, "n15": "Narrow"}


def test_an_area_that_a_table_names_is_found_by_any_name_or_made_at_the_middle_of_its_places(tmp_path):
    known = factories.area(name="Old Town")
    known.names.create(text="Vieille Ville", lang="fr")
    heading = "name,area,lat,lng"
    report = import_places(
        table(tmp_path, "A,vieille ville,,", "B,New Town,54.40,-2.96", "C,New Town,54.41,-2.94", "D,New Town,,", heading=heading), TOWN
    )
    made = Area.objects.exclude(pk=known.pk).get()
    assert (made.name, made.lat, made.lng, made.slug, report.areas_made) == ("New Town", 54.405, -2.95, "new-town", ["New Town"])
    assert {place.name: place.area.name for place in Place.objects.all()} == {"A": "Old Town", "B": "New Town", "C": "New Town", "D": "New Town"}


def test_a_changed_area_is_changed_unless_it_is_locked(tmp_path):
    import_places(geojson(tmp_path, feature(1, name="Hill", place="hamlet", name__fr="Mont")), TOWN)
    assert counts(import_places(geojson(tmp_path, feature(1, LAT + 0.01, name="Hill", place="hamlet", name__de="Berg")), TOWN)) == (0, 1, 0, 0)
    area = Area.objects.get()
    assert (area.lat, [name.text for name in area.names.all()]) == (LAT + 0.01, ["Berg"])
    Area.objects.update(locked_fields=["lat"])
    report = import_places(geojson(tmp_path, feature(1, LAT, name="Hill", place="hamlet", name__de="Berg")), TOWN)
    assert (counts(report), report.kept) == ((0, 0, 1, 0), ["feature 1: lat of area Hill"])


def test_bad_rows_are_reported_with_their_line_and_the_rest_is_taken(tmp_path):
    bad = [
        "6,Place 6,cafe,,x,1,,,",
        "7,Place 7,cafe,,,,,,",
        "8,Place 8,cafe,,1,2,,dear me,",
        f"9,Place 9,cafe,,{LNG},{LAT},,,",
        "10,Place 10,cafe,,95,2,,,",
    ]
    report = import_places(table(tmp_path, *map(line, range(1, 6)), *bad), TOWN)
    assert (report.new, [(row.where, row.id) for row in report.refusals]) == (5, [(f"line {n}", str(n - 1)) for n in range(7, 12)])
    said = ["lat is 'x'", "neither a position", "price is 'dear me'", "inside it with lat and lng swapped", "95.0, 2.0 is not on the earth"]
    assert [words in row.reason for words, row in zip(said, report.refusals, strict=True)] == [True] * 5


def test_a_feature_with_nan_or_infinity_for_a_coordinate_is_one_bad_row(tmp_path):
    path = geojson(
        tmp_path,
        *(feature(number) for number in range(1, 5)),
        feature(5, float("nan")),
        feature(6, float("-inf")),
        feature(8, geometry={"type": "LineString", "coordinates": [[1, 2], [float("inf"), 3]]}),
        feature(7, name="[NaN, NaN]"),
    )
    report = import_places(path, TOWN)
    assert (report.new, [row.id for row in report.refusals]) == (5, ["n5", "n6", "n8"])
    assert Place.objects.get(source_id="n7").name == "[NaN, NaN]"


def test_a_row_without_an_id_that_repeats_another_is_refused_alone(tmp_path):
    report = import_places(table(tmp_path, f"A,{LAT},{LNG}", f"B,{LAT},{LNG}", f"A,{LAT},{LNG}", heading="name,lat,lng"), TOWN)
    assert (report.new, report.refusals[0].where, report.refusals[0].reason[:17]) == (2, "line 4", "it repeats line 2")


def test_an_unknown_column_is_reported_and_left(tmp_path):
    report = import_places(table(tmp_path, f"A,{LAT},{LNG},red", heading="name,lat,lng,Colour"), TOWN)
    assert (report.new, report.columns_left) == (1, ("colour",))


@pytest.mark.parametrize("sign", [";", "\t"])
def test_a_table_may_be_divided_by_semicolons_or_tabs_and_begin_with_a_mark(sign: str, tmp_path):
    path = tmp_path / "places.csv"
    path.write_bytes(f"\ufeffname{sign}lat{sign}lng\r\nBlue Bar{sign}54,40{sign}-2,96\r\n".encode())
    import_places(path, TOWN)
    assert list(Place.objects.values_list("name", "lat", "lng")) == [("Blue Bar", 54.4, -2.96)]


def test_a_quoted_value_may_hold_lines_and_the_next_row_keeps_its_number(tmp_path):
    report = import_places(table(tmp_path, f'"Blue\nBar",{LAT},{LNG}', f"B,{LAT},{LNG}", f",{LAT},{LNG}", heading="name,lat,lng"), TOWN)
    assert (sorted(Place.objects.values_list("name", flat=True)), report.refusals[0].where) == (["B", "Blue Bar"], "line 5")


def test_numbers_of_a_spreadsheet_come_out_as_they_were_typed(tmp_path):
    path = workbook(tmp_path, [42.0, "Blue Bar", "cafe", None, LAT, LNG, "wifi", "cheap", 1223323737.0, 1000])
    book = load_workbook(path)
    book.active["J1"], book.active["J2"].number_format = "postcode", "00000"
    book.save(path)
    import_places(path, TOWN)
    place = Place.objects.get()
    assert (place.source_id, place.phone, place.postcode, place.lat) == ("42", "1223323737", "01000", LAT)


def test_a_formula_in_a_cell_is_data(tmp_path):
    import_places(table(tmp_path, f'1,"=HYPERLINK(""http://evil.example"")",cafe,,{LAT},{LNG},,,+44 1', heading=HEADING), TOWN)
    assert list(Place.objects.values_list("name", "phone")) == [('=HYPERLINK("http://evil.example")', "+44 1")]


def test_points_outside_the_town_are_taken_and_noted(tmp_path):
    report = import_places(geojson(tmp_path, feature(1, 10.0, 10.0)), TOWN)
    assert (report.new, "is the town file (ASKSMALL_TOWN) the right one?" in report.notes[0]) == (1, True)


def test_names_without_latin_letters_get_a_public_id_too(tmp_path):
    import_places(geojson(tmp_path, feature(1, name="カフェ", cuisine="日本"), feature(2, name="茶")), TOWN)
    assert sorted(Place.objects.values_list("slug", flat=True)) == ["place", "place-2"]


def test_a_batch_costs_a_fixed_number_of_queries_to_find_the_same(tmp_path, django_assert_num_queries):
    few = geojson(tmp_path, feature(1), feature(2))
    import_places(few, TOWN)
    with CaptureQueriesContext(connection) as first:
        import_places(few, TOWN)
    many = geojson(tmp_path, *(feature(n, name__fr="x") for n in range(1, 40)))
    import_places(many, TOWN)
    with django_assert_num_queries(len(first)):
        import_places(many, TOWN)
    assert PlaceName.objects.count() == 39
