"""What a reader makes of a file, before anything is written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol

from places.importers.vocabulary import TagWord

MIB = 1024 * 1024  # the largest value that a file may hold, in bytes
Names = frozenset[tuple[str, str]]  # (text, language or "")


class ImportRefused(Exception):  # the domain's word
    """The file as a whole cannot be taken; the message says where in the file and what to do. Nothing was written."""


class BadRow(Exception):
    """One row cannot be taken; the message says why."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A row that was not taken. `fault` is false where the row is in order but is no place of the town, such as the town itself."""

    where: str
    id: str
    reason: str
    fault: bool = True


@dataclass(frozen=True, slots=True)
class ScoreWord:
    """A score as a file gives it: the kind's name, 0 to 10, and why."""

    kind: str
    value: Decimal
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AreaRow:
    """A part of the town. `outline` is a GeoJSON geometry or None; `lat` and `lng` are its middle in degrees."""

    where: str
    source: str
    source_id: str
    licence: str
    name: str
    names: Names
    lat: float
    lng: float
    outline: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A place. `fields` maps the model's plain fields to values and holds only those that the file speaks of.

    `area` names the area outright, `area_hint` only where no outline decides. None for `names`, `tags` or `scores` means that the file does
    not speak of them.
    """

    where: str
    source: str
    source_id: str
    fields: Mapping[str, Any]
    names: Names | None = None
    tags: tuple[TagWord, ...] | None = None
    category: TagWord | None = None
    area: str = ""
    area_hint: str = ""
    scores: tuple[ScoreWord, ...] | None = None
    status: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def lat(self) -> float | None:
        return self.fields.get("lat")

    @property
    def lng(self) -> float | None:
        return self.fields.get("lng")


Row = PlaceRow | AreaRow | Refusal


class Reader(Protocol):
    """A file that can be read more than once. Iterating raises ImportRefused where the file cannot be read on."""

    unknown_columns: tuple[str, ...]

    def __iter__(self) -> Iterator[Row]: ...
