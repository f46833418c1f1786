"""The frozen values that pass between the engine's blocks.

Units: degrees (WGS 84) for `lat` and `lng`, metres for distances, minutes for walking, seconds for time limits. Text is NFC.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

Category = Literal["place", "festival"]
Kind = Literal["recommend", "inform", "locate"]
Rung = Literal["landmark", "area", "session", "followup", "city", "question"]
Shape = Literal["one", "some", "closest", "compare", "yes_no", "when", "where", "tell"]
Status = Literal["answered", "unknown", "pending", "refused"]
Outcome = Literal["answer", "followup", "fallback"]
OpenState = Literal["open", "closed", "unknown"]

NEAR_QUESTION = re.compile(r"^near Q(\d{1,3})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Budget:
    """Every cap of a run (the ids are those of `docs/rules.md`)."""

    query_chars: int = 140
    questions: int = 3
    rounds: int = 3
    calls_per_round: int = 3
    rows: int = 5
    counted: int = 1_000  # how far the places that match are counted: a total of so many means "or more"
    part_chars: int = 400
    followups: int = 2
    options: int = 4
    tags_per_phrase: int = 3
    floor: float = 0.375  # A-12, for the default embedder
    statement_s: float = 0.05  # FD7, CPU seconds of one statement
    say_chars: int = 140
    deadline_s: float = 15.0


@dataclass(frozen=True, slots=True)
class Point:
    lat: float
    lng: float


@dataclass(frozen=True, slots=True)
class Box:
    """A bounding box in degrees."""

    south: float
    west: float
    north: float
    east: float

    def holds(self, point: Point) -> bool:
        return self.south <= point.lat <= self.north and self.west <= point.lng <= self.east


@dataclass(frozen=True, slots=True)
class Town:
    """What the town file says (`docs/operators.md` has the table)."""

    name: str
    timezone: ZoneInfo
    centre: Point
    bbox: Box
    languages: tuple[str, ...] = ("en",)
    country: str = ""
    subdivision: str = ""
    tiles: str = ""

    @classmethod
    def read(cls, path: Path) -> Town:
        """Read a town file. Raises ValueError that names the file, the key and the mend."""
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ValueError(f"the town file {path} cannot be read ({error}); ASKSMALL_TOWN must name a TOML file") from error
        unknown = sorted(set(data) - set(cls.__dataclass_fields__))
        if unknown:
            raise ValueError(f"the town file {path} has an unknown key '{unknown[0]}'; known are {', '.join(cls.__dataclass_fields__)}")
        try:
            south, west, north, east = (float(edge) for edge in data["bbox"])
            lat, lng = (float(part) for part in data["centre"])
            town = cls(
                name=str(data["name"]),
                timezone=ZoneInfo(str(data["timezone"])),
                centre=Point(lat, lng),
                bbox=Box(south, west, north, east),
                languages=tuple(data.get("languages", ("en",))),
                country=str(data.get("country", "")),
                subdivision=str(data.get("subdivision", "")),
                tiles=str(data.get("tiles", "")),
            )
        except KeyError as error:
            raise ValueError(f"the town file {path} lacks {error}") from error
        except (TypeError, ValueError, OSError) as error:
            raise ValueError(f"the town file {path} is not as it should be: {error}") from error
        if not (-90 <= south < north <= 90 and -180 <= west < east <= 180 and town.bbox.holds(town.centre)):
            raise ValueError(f"the town file {path}: bbox is [south, west, north, east] in degrees and must hold centre, which is [lat, lng]")
        return town


@dataclass(frozen=True, slots=True)
class Query:
    """What a resident sends: the text as typed, and, if they gave it, where they are."""

    text: str
    at: Point | None = None
    lang: str = "en"


@dataclass(frozen=True, slots=True)
class Question:
    """One inferred question with its slots (A-08). `where`: a phrase, `me`, `near Q<k>`, `city`, or None (A-09)."""

    number: int
    what: str
    where: str | None = "city"
    why: str = ""
    when: str = ""
    shape: Shape = "some"
    category: Category = "place"

    @property
    def hangs_on(self) -> int | None:
        """The k of `near Q<k>`, the only explicit dependency (A-16)."""
        found = NEAR_QUESTION.match(self.where or "")
        return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the model asked for it: words only."""

    question: int
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time that words mean: aware instants of the town's zone, `end` exclusive. `words` are the resident's own."""

    start: datetime
    end: datetime
    words: str = ""

    @property
    def instant(self) -> bool:
        """Whether the words mean one moment ("now", "at 11 on Sunday") and no stretch."""
        return self.end.timestamp() - self.start.timestamp() <= 60  # wall clocks would be wrong across a clock change


@dataclass(frozen=True, slots=True)
class Parsed:
    """Round 1, read and cut to the budget."""

    questions: tuple[Question, ...]
    calls: tuple[Call, ...]
    dropped_questions: int = 0
    dropped_calls: int = 0


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a question looks from. `box` is set where the anchor is an area; `sharp` is false for an area of which only the middle is known;
    `missing` is a phrase that names nothing here.
    """

    rung: Rung
    name: str
    point: Point | None = None
    box: Box | None = None
    area: int | None = None
    place: int | None = None
    missing: str = ""
    sharp: bool = True


@dataclass(frozen=True, slots=True)
class Tags:
    """What a phrase means: every group must be met, by any of its tags. `unmet` are phrases that nothing here satisfies (A-13)."""

    groups: tuple[tuple[int, ...], ...] = ()
    names: tuple[str, ...] = ()
    without: tuple[int, ...] = ()
    without_names: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    prices: tuple[str, ...] = ()
    without_places: tuple[int, ...] = ()
    unmet: tuple[str, ...] = ()
    far: bool = False  # no phrase reached the floor


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a row matched."""

    type: Literal["score", "tag", "fact"]
    text: str


@dataclass(frozen=True, slots=True)
class Opening:
    """A place's hours at the run's instant, with the words for it (R-06)."""

    state: OpenState
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One gathered row. `facts` maps a slot name ("name", "distance", "hours", "quiet" …) to the words that may stand for it."""

    id: str  # opaque to the model: r1, r2 …
    public_id: str  # place:<slug>, festival:<slug>, event:<slug>@<local start>
    name: str
    names: tuple[str, ...]
    location: str
    url: str
    reason: Reason
    facts: Mapping[str, str]
    status: str = "open"
    point: Point | None = None
    distance_m: int | None = None
    opening: Opening | None = None
    when: Mapping[str, str] | None = None
    source: str = "small"


@dataclass(frozen=True, slots=True)
class Result:
    """What one call brought. `total` counts what matched before the cut to the budget's rows; `failed` says why a call has none."""

    question: int
    tool: str
    rows: tuple[Row, ...] = ()
    total: int = 0
    failed: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` is what is shown; `rows` are the ids it rests on; `free` is the same text with its slots still standing."""

    text: str
    rows: tuple[str, ...] = ()
    free: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """The answer to one question."""

    question: int
    what: str
    kind: Kind
    status: Status
    sentences: tuple[Sentence, ...] = ()
    recommends: tuple[Row, ...] = ()
    anchor: Anchor | None = None

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True, slots=True)
class Option:
    """What may be picked: a public id such as `area:harbour`, and the words shown for it."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Followup:
    """A question back: the slot that is open, and at most four options, always from tools (A-27, A-29)."""

    question: int
    slot: Literal["where", "what", "which"]
    prompt: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """A resident's answer to a question back: an option's id, or words of at most 140 characters."""

    question: int
    option: str = ""
    say: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """What a client sends back: the echo's token and its picks."""

    token: str
    picks: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """A step of the run, for the audit, the console and the trace: counts and names, never a position."""

    step: str
    round: int = 0
    counts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """The end of a run. `body` is the reply of `docs/protocol.md`, ready for JSON."""

    outcome: Outcome
    parts: tuple[Part, ...]
    body: Mapping[str, Any]
    refused: str | None = None
