"""Makes files of invented places, or events, that the importers take: `python tests/bench/generate.py --places 100000 --seed 1 OUT.csv`.

The ending says which: `.csv` and `.geojson` are places, and with `--events N` the CSV holds events instead. The same numbers give the same bytes, whose
SHA-256 is printed. A place has one of 40 categories, 5 of 500 tags (a few are common, most are rare), 8 scores and one of 64 opening hours; it
lies in one of 100 areas of the box. Of the events one in ten repeats by a rule.
"""

import argparse
import csv
import hashlib
import json
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, product
from pathlib import Path
from typing import Any, TextIO

BOX = (54.36, -3.03, 54.44, -2.89)  # south, west, north, east: the demo town's
START = datetime(2026, 12, 4)  # noqa: DTZ001 - wall time of the town

LOOKS = "amber old quiet north little copper green velvet salt silver ivy bright stone maple plum rusty golden blue hidden merry tall wild calm river red".split()
THINGS = "kettle anchor lantern fox orchard bell heron barrel loom harbour thistle ladder ferry compass willow drum owl candle acorn oar".split()
STREETS = "mill castle church bridge market quay abbey station tower garden forge meadow chapel school well priory common barn dock hill".split()
WORDS = "a room by the water with wooden tables warm bread slow music local beer long views rain games cake soup dogs books bicycles plants cheese wine tea".split()  # fmt: skip
SCORES = ("quiet", "kids", "value", "views", "romantic", "work", "local", "accessible")
PRICES = ("free", "cheap", "moderate", "expensive", "")
DAYS = ("Mo-Su", "Mo-Fr", "Tu-Sa", "We-Su", "Mo-Sa", "Fr-Su", "Mo,We,Fr", "Sa,Su")
TIMES = ("09:00-17:00", "10:00-18:00", "08:00-12:00,14:00-18:00", "11:00-23:00", "18:00-02:00", "07:30-15:30", "00:00-24:00", "12:00-22:00; PH off")
RULES = ("FREQ=WEEKLY;BYDAY=FR", "FREQ=MONTHLY;BYDAY=1SU", "FREQ=YEARLY", "FREQ=WEEKLY;INTERVAL=2", "FREQ=DAILY;COUNT=30")

HOURS = [f"{days} {times}" for days, times in product(DAYS, TIMES)]
TAGS = [f"{look} {thing}" for look, thing in product(LOOKS, THINGS)]
TAG_WEIGHTS = list(accumulate(1 / (rank + 5) for rank in range(len(TAGS))))
CATEGORIES = 40
PLACE_COLUMNS = ["id", "name", "category", "area", "lat", "lng", "tags", "price", "opening_hours", "address", "phone", "website", "description",
                 "wheelchair", *(f"score_{score}" for score in SCORES)]  # fmt: skip
EVENT_COLUMNS = [
    "id",
    "festival",
    "title",
    "start",
    "end",
    "all_day",
    "venue",
    "lat",
    "lng",
    "rrule",
    "exdates",
    "status",
    "price",
    "tags",
    "url",
    "description",
]


@dataclass(frozen=True)
class Generator:
    """Invented rows: as many as asked for, the same for the same seed, one at a time."""

    count: int
    seed: int

    def places(self) -> Iterator[dict[str, str]]:
        dice = random.Random(self.seed)
        for number in range(self.count):
            lat, lng = self.point(dice)
            yield {
                "id": f"g{number}",
                "name": self.name(dice),
                "category": TAGS[dice.randrange(CATEGORIES)],
                "area": self.area(lat, lng),
                "lat": f"{lat:.6f}",
                "lng": f"{lng:.6f}",
                "tags": ";".join(self.tags(dice)),
                "price": dice.choice(PRICES),
                "opening_hours": dice.choice(HOURS),
                "address": f"{dice.randrange(1, 200)} {dice.choice(STREETS).title()} Street",
                "phone": f"01632 960{dice.randrange(1000):03}",
                "website": f"https://example.org/{number}",
                "description": self.description(dice),
                "wheelchair": dice.choice(("yes", "limited", "no", "")),
                **{f"score_{score}": f"{dice.randrange(101) / 10}" for score in SCORES},
            }

    def features(self) -> Iterator[dict[str, Any]]:
        """The places as OSM features, without scores and areas, which OSM has not."""
        for row in self.places():
            kind, *others = [tag.replace(" ", "_") for tag in row["tags"].split(";")]
            kept = {key: row[key] for key in ("name", "opening_hours", "website", "phone", "wheelchair", "description") if row[key]}
            yield {
                "type": "Feature",
                "id": f"node/{row['id'].removeprefix('g')}",
                "geometry": {"type": "Point", "coordinates": [float(row["lng"]), float(row["lat"])]},
                "properties": {"amenity": kind, "cuisine": ";".join(others), **kept},
            }

    def events(self) -> Iterator[dict[str, str]]:
        dice = random.Random(self.seed)
        for number in range(self.count):
            lat, lng = self.point(dice)
            start = START + timedelta(minutes=30 * dice.randrange(-48 * 300, 48 * 300))
            yield {
                "id": f"e{number}",
                "festival": f"{dice.choice(LOOKS).title()} Festival" if dice.random() < 0.5 else "",
                "title": self.name(dice),
                "start": start.isoformat(timespec="minutes"),
                "end": (start + timedelta(minutes=30 * dice.randrange(1, 10))).isoformat(timespec="minutes"),
                "all_day": "",
                "venue": f"{dice.choice(STREETS).title()} Hall",
                "lat": f"{lat:.6f}",
                "lng": f"{lng:.6f}",
                "rrule": dice.choice(RULES) if dice.random() < 0.1 else "",
                "exdates": "",
                "status": "",
                "price": dice.choice(("free", "5.00", "")),
                "tags": ";".join(self.tags(dice)),
                "url": f"https://example.org/events/{number}",
                "description": self.description(dice),
            }

    @staticmethod
    def point(dice: random.Random) -> tuple[float, float]:
        south, west, north, east = BOX
        return south + dice.random() * (north - south), west + dice.random() * (east - west)

    @staticmethod
    def area(lat: float, lng: float) -> str:
        """A hundred areas, ten by ten."""
        south, west, north, east = BOX
        row, column = int(10 * (lat - south) / (north - south)), int(10 * (lng - west) / (east - west))
        return f"{LOOKS[row].title()} {STREETS[column].title()} Quarter"

    @staticmethod
    def name(dice: random.Random) -> str:
        return f"{dice.choice(LOOKS).title()} {dice.choice(THINGS).title()} {dice.choice(STREETS).title()}"

    @staticmethod
    def tags(dice: random.Random) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < 5:
            found[dice.choices(TAGS, cum_weights=TAG_WEIGHTS)[0]] = None
        return list(found)

    @staticmethod
    def description(dice: random.Random) -> str:
        return " ".join(dice.choices(WORDS, k=dice.randrange(6, 18))).capitalize() + "."


def write_csv(out: TextIO, columns: list[str], rows: Iterable[dict[str, str]]) -> None:
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def write_geojson(out: TextIO, features: Iterable[dict[str, Any]]) -> None:
    """One feature a line, so that it never has to be in memory as a whole."""
    out.write('{"type": "FeatureCollection", "features": [\n')
    out.writelines((",\n" if number else "") + json.dumps(feature, sort_keys=True) for number, feature in enumerate(features))
    out.write("\n]}\n")


def generate(out: Path, places: int, events: int, seed: int) -> str:
    """Write the file and return its SHA-256 in hexadecimal. Raises ValueError for an ending that is neither .csv nor .geojson."""
    if out.suffix not in (".csv", ".geojson") or (events and out.suffix != ".csv"):
        raise ValueError(f"{out.name} must end in .csv or .geojson; events are .csv")
    with out.open("w", encoding="utf-8", newline="") as file:
        if events:
            write_csv(file, EVENT_COLUMNS, Generator(events, seed).events())
        elif out.suffix == ".csv":
            write_csv(file, PLACE_COLUMNS, Generator(places, seed).places())
        else:
            write_geojson(file, Generator(places, seed).features())
    with out.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT", help="the file to write: .csv or .geojson")
    parser.add_argument("--places", type=int, default=1000, help="how many places (default 1000)")
    parser.add_argument("--events", type=int, default=0, help="write this many events instead")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other rows (default 1)")
    options = parser.parse_args()
    try:
        sys.stdout.write(f"sha256 {generate(options.out, options.places, options.events, options.seed)}  {options.out}\n")
    except (OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
