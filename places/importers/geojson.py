"""GeoJSON (RFC 7946), read as a stream: one feature is in memory at a time."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import ijson

from agent.types import Town
from places.importers.osm import Features
from places.importers.rows import MIB, ImportRefused, Row
from places.importers.vocabulary import vocabulary

_WGS84 = re.compile(r"(?i)(urn:ogc:def:crs:)?(OGC:[\d.]*:?CRS84|EPSG:[\d.]*:?4326)")
# NaN and Infinity are no JSON, and 1e999 is no number, yet some programs write them. In coordinates they spoil one feature, not the file.
_NOT_A_NUMBER = re.compile(rb'("coordinates"\s*:\s*\[[^"{}]{0,2000}?)-?(?:NaN|Infinity|\d+(?:\.\d+)?[eE]\+?\d{3,})')
_CARRY = 2100  # bytes held back, so that no such word is cut in two
_NUMBERS = b"0123456789.,-+eE[]{}: \t\r\n"
_QUOTE = re.compile(rb'(?<!\\)"')


class GeoJson:
    """A FeatureCollection whose features carry OSM tags as properties."""

    unknown_columns: tuple[str, ...] = ()

    def __init__(self, path: Path, town: Town) -> None:
        self._path = path
        self._features = Features(town, vocabulary())

    def __iter__(self) -> Iterator[Row]:
        with self._path.open("rb") as handle:
            if handle.read(3) != b"\xef\xbb\xbf":
                handle.seek(0)
            stream = _Watched(handle)
            head = _Head()
            number = 0
            try:
                for feature in ijson.items(head.watch(ijson.parse(stream, use_float=True)), "features.item"):
                    number += 1
                    _check_sizes(feature, number)
                    yield self._features.row(number, feature)
            except (ijson.JSONError, UnicodeDecodeError) as error:
                raise ImportRefused(_unreadable(self._path, number, error)) from error
            head.check()


class _Head:
    """Looks at what stands beside the features: the type and, from before RFC 7946, the coordinate system."""

    def __init__(self) -> None:
        self._type: Any = None
        self._features = False

    def watch(self, events: Iterator[tuple[str, str, Any]]) -> Iterator[tuple[str, str, Any]]:
        for event in events:
            prefix = event[0]
            if not prefix.startswith("features.item"):
                self._note(*event)
            yield event

    def _note(self, prefix: str, event: str, value: Any) -> None:
        if prefix == "type":
            self._type = value
        self._features |= (prefix, event) == ("features", "start_array")
        if prefix == "crs.properties.name" and not _WGS84.fullmatch(str(value)):
            raise ImportRefused(f"the coordinates are in {str(value)[:80]!r}; export the file in WGS 84 (longitude, latitude), as RFC 7946 asks")

    def check(self) -> None:
        if self._type != "FeatureCollection" or not self._features:
            raise ImportRefused(f"this is JSON of the type {str(self._type)[:40]!r}, not a GeoJSON FeatureCollection with a list of features")


class _Watched:
    """A file of bytes that puts null for NaN in coordinates, and refuses a value of more than 1 MiB before it fills the memory."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self._held = b""
        self._value = 0

    def read(self, size: int) -> bytes:
        if size <= 0:
            return b""
        chunk = self._handle.read(size)
        self._measure(chunk)
        whole = self._held + chunk
        while True:
            whole, found = _NOT_A_NUMBER.subn(rb"\g<1>null", whole)
            if not found:
                break
        if not chunk:
            self._held = b""
            return whole
        cut = max(len(whole) - _CARRY, 0)
        self._held = whole[cut:]
        return whole[:cut] or self.read(size)

    def _measure(self, chunk: bytes) -> None:
        ends = _QUOTE.search(chunk) is not None or not chunk.translate(None, _NUMBERS)
        self._value = 0 if ends else self._value + len(chunk)
        if self._value > MIB:
            raise ImportRefused(f"a value before byte {self._handle.tell()} is longer than 1 MiB; no field of a place is that long")


def _check_sizes(feature: Any, number: int) -> None:
    properties = feature.get("properties") if isinstance(feature, dict) else None
    for key, value in properties.items() if isinstance(properties, dict) else ():
        if len(key) > MIB or (isinstance(value, str) and len(value) > MIB // 4 and len(value.encode(errors="replace")) > MIB):
            raise ImportRefused(f"feature {number}: the value of {key[:40]!r} is longer than 1 MiB; no field of a place is that long")


def _unreadable(path: Path, number: int, error: Exception) -> str:
    lines = str(error).strip().splitlines() or ["it is no JSON"]
    place = f"after feature {number}" if number else "at its start"
    if "EOF" in str(error) or "ncomplete" in str(error) or not _last_bytes(path).endswith(b"}"):
        return f"the file ends {place}, at byte {path.stat().st_size}, in the middle of its JSON; it was cut off, so fetch it again"
    return f"the file stops being JSON {place}: {lines[0][:160]}"


def _last_bytes(path: Path) -> bytes:
    with path.open("rb") as handle:
        handle.seek(max(path.stat().st_size - 64, 0))
        return handle.read().rstrip()
