"""A file that cannot be taken as a whole: a clear message, and the database as it was. What XML could do beside holding text is refused."""

import json
from pathlib import Path

import pytest

from festivals.importers.run import import_festivals
from festivals.models import Event, Festival
from places.importers.rows import MIB, ImportRefused
from places.models import Tag
from tests.festivals.importers.programmes import TOWN, ics, jsonld, load, schedule, table, talk, vevent

pytestmark = pytest.mark.django_db
LONG = "x" * (5 * MIB)
HEADING = "id,title,start"
TWO = {
    "ics": ics(vevent(), vevent(uid="2")).encode(),
    "schedule": schedule(talk(1), talk(2)).encode(),
    "jsonld": json.dumps([jsonld(), jsonld(name="Band")]).encode(),
    "csv": table("1,Choir,2026-12-04", "2,Band,2026-12-05", heading=HEADING).encode(),
}
LAUGHS = '<!DOCTYPE s [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
OUTSIDE = '<!DOCTYPE s [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
SWAPPED = table("1,A,2026-12-04,-2.96,54.4", "2,B,2026-12-04,-2.96,54.4", heading="id,title,start,lat,lng").encode()


def declared(doctype: str, words: str) -> bytes:
    return schedule(talk(title=words)).replace("?>", "?>" + doctype, 1).encode()


REFUSED = {
    "an empty file": (b"", "the file is empty"),
    "a file of blanks": (b" \r\n\r\n", "the file is empty"),
    "an empty calendar": (ics().encode(), "the calendar holds no events"),
    "a schedule without events": (schedule().encode(), "the file holds no rows"),
    "JSON without an event": (b'{"@type": "Person", "name": "Ada"}', "this is JSON without an event of schema.org"),
    "a heading alone": (table(heading=HEADING).encode(), "the file holds no rows"),
    "a truncated calendar": (TWO["ics"][:-30], "the file ends at line 14 without the end of its calendar (END:VCALENDAR)"),
    "a calendar without its last line": (TWO["ics"][:-16], "without the end of its calendar"),
    "a calendar whose event does not end": (TWO["ics"].replace(b"END:VEVENT\r\n", b"", 1), "without the end of its calendar"),
    "a truncated schedule": (TWO["schedule"][:-40], "line 2: the file is no XML"),
    "truncated JSON": (TWO["jsonld"][:-20], "it was cut off, so fetch it again"),
    "a truncated line": (TWO["csv"][:-15], "the file ends in the middle of line 3, after 2 of 3 values"),
    "a web page": (b"<!DOCTYPE html><html><body>Not found</body></html>", "line 1 begins a web page"),
    "a web page of XML": (b'<?xml version="1.0"?><html xmlns="x"></html>', "line 1 begins a web page"),
    "a feed": (b'<?xml version="1.0"?><rss></rss>', "this is XML of the kind <rss>"),
    "Latin-1 in a calendar": (TWO["ics"].replace(b"Choir", b"Caf\xe9"), "line 6: the file is not UTF-8"),
    "Latin-1 in a schedule": (TWO["schedule"].replace(b"Choir", b"Caf\xe9"), "line 2: the file is not UTF-8"),
    "Latin-1 in JSON": (TWO["jsonld"].replace(b"Choir", b"Caf\xe9"), "line 1: the file is not UTF-8"),
    "Latin-1 in a table": (TWO["csv"].replace(b"Choir", b"Caf\xe9"), "line 2, byte 6: the file is not UTF-8"),
    "UTF-16": (TWO["ics"].decode().encode("utf-16"), "the file is not UTF-8 text at its start"),
    "a packed file": (b"PK\x03\x04", "the file is not UTF-8 text at its start"),
    "a value of 5 MB in a calendar": (ics(vevent("DESCRIPTION:" + LONG)).encode(), "line 9 has a value of more than 1 MiB"),
    "a folded value of 5 MB": (ics(vevent("DESCRIPTION:" + "\r\n ".join(["x" * MIB] * 5))).encode(), "line 9 has a value of more than 1 MiB"),
    "a value of 5 MB in a schedule": (schedule(talk(title=LONG)).encode(), "it has a value of more than 1 MiB"),
    "a value of 5 MB in JSON": (json.dumps(jsonld(description=LONG)).encode(), "the file has a value of more than 1 MiB"),
    "a value of 5 MB in a table": (TWO["csv"].replace(b"Choir", LONG.encode()), "line 2 has a value of more than 1 MiB"),
    "a file of 33 MB": (ics(*[vevent()] * 2).encode() + b"\n" * (33 * MIB), "the file has more than 32 MiB"),
    "a repeated id in a schedule": (schedule(talk(1), talk(1)).encode(), "event 2 has the id '1', which event 1 has too"),
    "a repeated id in JSON": (json.dumps([jsonld(identifier="1"), jsonld(identifier="1", name="Band")]).encode(), "event 2 has the id '1'"),
    "a repeated id in a table": (TWO["csv"].replace(b"2,Band", b"1,Band"), "line 3 has the id '1', which line 2 has too"),
    "mostly bad events": (
        ics(vevent(start=""), vevent(uid="2", start=""), vevent(uid="3")).encode(),
        "2 of 3 rows cannot be taken (line 4: it has no start",
    ),
    "swapped coordinates": (SWAPPED, "2 of 2 points lie outside Lindenmere until lat and lng are swapped"),
    "a table without its columns": (b"name,when\nChoir,tonight\n", "line 1 must name the columns: title and start are needed"),
    "a column twice": (b"title,start,title\nChoir,2026-12-04,x\n", "line 1 names the column 'title' twice"),
    "a billion laughs": (declared(LAUGHS, "&c;"), "it declares a document type (DOCTYPE)"),
    "an entity of a file": (declared(OUTSIDE, "&a;"), "it declares a document type (DOCTYPE)"),
    "an unknown entity": (schedule(talk(title="&a;")).encode(), "the file is no XML (undefined entity)"),
    "elements nested deep": (schedule("<a>" * 60 + "</a>" * 60).encode(), "nested more than 50 deep"),
    "JSON nested too deep for a programme": (b"[" * 200 + b"]" * 200, "the file is nested more than 100 deep"),
    "JSON nested deep": (b"[" * 100_000 + b"]" * 100_000, "the file is no JSON that can be read"),
    "JSON with a number that is none": (b'[{"@type": "Event", "startDate": NaN}]', "NaN is no number of JSON"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_cannot_be_taken_changes_nothing(case: str, tmp_path: Path):
    content, said = REFUSED[case]
    with pytest.raises(ImportRefused) as refusal:
        load(tmp_path, content)
    assert said in str(refusal.value)
    assert (Event.objects.count(), Festival.objects.count(), Tag.objects.count()) == (0, 0, 0)


@pytest.mark.parametrize("kind", TWO)
def test_the_sound_file_of_each_kind_is_taken(kind: str, tmp_path: Path):
    assert load(tmp_path, TWO[kind]).new == 2
    assert load(tmp_path, b"\xef\xbb\xbf" + TWO[kind], kind=kind).same == 2


def test_a_file_that_is_missing_is_refused(tmp_path: Path):
    with pytest.raises(ImportRefused, match="the file cannot be opened: No such file"):
        import_festivals(tmp_path / "none.ics", TOWN)


@pytest.mark.parametrize("kind", ["ics", "schedule", "jsonld"])
def test_a_file_cut_anywhere_is_refused(kind: str, tmp_path: Path):
    for cut in range(1, len(TWO[kind].rstrip()), 11):
        with pytest.raises(ImportRefused):
            load(tmp_path, TWO[kind][:cut], kind=kind)
