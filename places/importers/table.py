"""Tables of places: CSV in UTF-8, read line by line, and XLSX, read row by row."""

import csv
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any, BinaryIO
from xml.etree.ElementTree import ParseError

from openpyxl import Workbook, load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from places.importers.columns import Columns
from places.importers.rows import MIB, ImportRefused, Row
from places.importers.vocabulary import vocabulary

LINE_LIMIT = 8 * MIB  # bytes of one line of CSV
UNPACKED_LIMIT = 1024 * MIB  # bytes of a workbook when unpacked


class CsvTable:
    """A CSV file; a semicolon or a tab may stand between the values, if the heading has it.

    `columns` makes of a heading what turns its lines into rows; `key` is the column that every heading has. Both are those of places if not given.
    """

    def __init__(self, path: Path, columns: Callable[[Sequence[str]], Any] | None = None, key: str = "name") -> None:
        self._path = path
        self._columns = columns or (lambda heading: Columns(heading, path.stem, vocabulary()))
        self._key = key
        self.unknown_columns: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Row]:
        csv.field_size_limit(MIB)
        with self._path.open("rb") as handle:
            lines = _Lines(handle)
            heading = next(lines)
            sign = _delimiter(heading, self._key)
            reader = csv.reader(lines, delimiter=sign, strict=True)
            columns = self._columns(next(csv.reader([heading], delimiter=sign)))
            self.unknown_columns = columns.unknown
            yield from self._rows(reader, columns, lines)

    def _rows(self, reader: Any, columns: Any, lines: "_Lines") -> Iterator[Row]:
        line = lines.number + 1
        try:
            for cells in reader:
                if len(cells) < columns.width and lines.cut:
                    raise ImportRefused(
                        f"the file ends in the middle of line {line}, after {len(cells)} of {columns.width} values; it was cut off, so fetch it again"
                    )
                if any(cells):
                    yield columns.row(f"line {line}", cells)
                line = lines.number + 1
        except csv.Error as error:
            raise ImportRefused(_broken(line, str(error))) from error


class _Lines:
    """The lines of a file as text. `number` is that of the last one; `cut` says that it had no end."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self.number = 0
        self.cut = False

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        raw = self._handle.readline(LINE_LIMIT)
        if not raw:
            raise StopIteration
        self.number += 1
        self.cut = not raw.endswith(b"\n")
        if len(raw) == LINE_LIMIT:
            raise ImportRefused(f"line {self.number} has a value of more than 1 MiB; no fact is that long")
        try:
            return raw.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise ImportRefused(f'line {self.number}, byte {error.start + 1}: the file is not UTF-8; save it as "CSV UTF-8"') from error


def _delimiter(heading: str, key: str) -> str:
    """The sign between the columns: the one that sets the column `key` apart."""
    for sign in (",", ";", "\t"):
        if key in [title.strip().strip('"').lower() for title in heading.split(sign)]:
            return sign
    return ","


def _broken(line: int, said: str) -> str:
    if "field limit" in said:
        return f"line {line} has a value of more than 1 MiB; no fact is that long"
    if "unexpected end" in said:
        return f"the file ends inside the quoted value that begins in line {line}; it was cut off, so fetch it again"
    return f"line {line} is no CSV: {said}"


class XlsxTable:
    """The first sheet of a workbook."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.unknown_columns: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Row]:
        try:
            with self._path.open("rb") as handle, _opened(handle) as book:
                yield from self._rows(book.worksheets[0].iter_rows())
        except (zipfile.BadZipFile, InvalidFileException, ParseError, KeyError, IndexError, ValueError, EOFError, OSError) as error:
            raise ImportRefused(f"the workbook cannot be read ({str(error)[:100]}); was it cut off? Save it again as .xlsx") from error

    def _rows(self, rows: Iterator[Sequence[Any]]) -> Iterator[Row]:
        numbered = ((number, [_cell(cell, number) for cell in row]) for number, row in enumerate(rows, start=1))
        filled = ((number, cells) for number, cells in numbered if any(cells))
        _, heading = next(filled, (1, []))
        while heading and not heading[-1]:
            heading.pop()
        columns = Columns(heading, self._path.stem, vocabulary())
        self.unknown_columns = columns.unknown
        for number, cells in filled:
            yield columns.row(f"row {number}", cells + [""] * (columns.width - len(cells)))


@contextmanager
def _opened(handle: BinaryIO) -> Iterator[Workbook]:
    with zipfile.ZipFile(handle) as packed:
        unpacked = sum(entry.file_size for entry in packed.infolist())
    if unpacked > UNPACKED_LIMIT:
        raise ImportRefused(f"the workbook unpacks to {unpacked // MIB} MiB, and at most {UNPACKED_LIMIT // MIB} are read; split it")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # openpyxl's remarks on styles and extensions, which carry no values
        book = load_workbook(handle, read_only=True, data_only=True)
    try:
        yield book
    finally:
        book.close()


def _cell(cell: Any, number: int) -> str:
    """A cell as text: 1223323737.0 is a phone's "1223323737", and a format of zeros brings leading zeros back."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    text = str(value)
    if isinstance(value, int) and re.fullmatch(r"0+", str(cell.number_format)):
        text = text.zfill(len(cell.number_format))
    if len(text) > MIB // 4 and len(text.encode(errors="replace")) > MIB:
        raise ImportRefused(f"row {number} has a value of more than 1 MiB; no fact is that long")
    return text
