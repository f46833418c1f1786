"""Which kind of file is this? Told by its first bytes and its name; what is plainly something else is refused with a word of help."""

from pathlib import Path

from agent.types import Town
from places.importers.geojson import GeoJson
from places.importers.rows import ImportRefused, Reader
from places.importers.table import CsvTable, XlsxTable

KINDS = ("geojson", "csv", "xlsx")


def reader_for(path: Path, town: Town, kind: str = "") -> Reader:
    """A reader for the file. Raises ImportRefused for a file that is missing, empty, or of no kind that is known."""
    try:
        with path.open("rb") as handle:
            head = handle.read(4096)
    except OSError as error:
        raise ImportRefused(f"the file cannot be opened: {error.strerror or error}") from error
    if not head.strip(b"\xef\xbb\xbf \t\r\n\0"):
        raise ImportRefused("the file is empty")
    found = _kind(head, path, kind)
    return GeoJson(path, town) if found == "geojson" else XlsxTable(path) if found == "xlsx" else CsvTable(path)


def _kind(head: bytes, path: Path, kind: str) -> str:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] == b"<":
        raise ImportRefused(f"line 1 begins with {start[:20].decode('ascii', 'replace')!r}: this is a web page or XML, not a table or GeoJSON")
    if kind:
        return kind
    found = "xlsx" if head.startswith(b"PK") else "geojson" if start[:1] in {b"{", b"["} else "csv"
    if found == "csv" and (b"\0" in head or head[:2] in {b"\xff\xfe", b"\xfe\xff"}):
        raise ImportRefused('the file is not UTF-8 text at its start; save it as "CSV UTF-8" or as .xlsx')
    if found != "xlsx" and path.suffix.lower() in {".xlsx", ".xlsm"}:
        raise ImportRefused("the file is named as a workbook, and byte 1 is not that of one; save it again as .xlsx, or give --format")
    return found
