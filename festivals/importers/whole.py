"""A file that has to be read as a whole, since its parts refer to one another."""

from pathlib import Path

from places.importers.rows import MIB, ImportRefused

LARGEST = 32 * MIB  # bytes; the programme of a festival with 100,000 events


def text_of(path: Path) -> str:
    """The file's text, without a byte order mark. Raises ImportRefused for one that cannot be opened, is too large, or is not UTF-8."""
    try:
        with path.open("rb") as handle:
            raw = handle.read(LARGEST + 1)
    except OSError as error:
        raise ImportRefused(f"the file cannot be opened: {error.strerror or error}") from error
    if len(raw) > LARGEST:
        raise ImportRefused(f"the file has more than {LARGEST // MIB} MiB; split it")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ImportRefused(f"line {line}: the file is not UTF-8; save it as UTF-8") from error


def check_size(value: str, where: str) -> None:
    """Raises ImportRefused for a value of more than 1 MiB."""
    if len(value) > MIB // 4:
        check_length(len(value.encode(errors="replace")), where)


def check_length(length: int, where: str) -> None:
    """Raises ImportRefused for a value that has more than 1 MiB, in bytes."""
    if length > MIB:
        raise ImportRefused(f"{where} has a value of more than 1 MiB; no fact of an event is that long")
