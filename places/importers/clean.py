"""Values made safe to keep: text of a file is data, whatever it says."""

import hashlib
import math
import re
import unicodedata

from agent.snapshot.names import fold
from places.importers.rows import BadRow

# Marks that turn the direction of a line; the joiners U+200C and U+200D stay, since some scripts need them.
_TURNING = dict.fromkeys([0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF, 0x200B])
_WEBSITE = re.compile(r"(?i)(https?://)?[^\s/:@<>\"']+\.[^\s<>\"']+")
LIMITS = {"name": 200, "address": 300, "postcode": 20, "phone": 100, "website": 500, "source": 200, "licence": 200}


def text(value: object) -> str:
    """A value as one line of NFC text without control characters; None is the empty text."""
    if value is None:
        return ""
    words = unicodedata.normalize("NFC", str(value))
    if words.isprintable():
        return " ".join(words.split())
    words = words.translate(_TURNING)
    kept = (" " if char.isspace() else char for char in words if char.isspace() or unicodedata.category(char) not in {"Cc", "Cs"})
    return " ".join("".join(kept).split())


def fitting(field: str, value: object) -> str:
    """The text of a field. Raises BadRow where it is longer than the field."""
    line = text(value)
    if len(line) > LIMITS.get(field, len(line)):
        raise BadRow(f"{field} has {len(line)} characters, and at most {LIMITS[field]} are kept; shorten it")
    return line


def website(value: object) -> tuple[str, str]:
    """A web address and no note, or no address and the note that says why: other schemes than http and https are never kept."""
    line = fitting("website", value)
    if not line or _WEBSITE.fullmatch(line):
        return line, ""
    return "", f"website {line[:60]!r} is no web address and was left out"


def degrees(value: object, what: str) -> float:
    """A finite number of degrees; a decimal comma is read too. Raises BadRow."""
    try:
        number = float(text(value).replace(",", "."))
    except ValueError:
        raise BadRow(f"{what} is {text(value)[:40]!r}, which is no number of degrees") from None
    if not math.isfinite(number):
        raise BadRow(f"{what} is no finite number")
    return number


def stand_in_id(name: str, *where: object) -> str:
    """An id for a row that brings none: the same for the same name at the same place."""
    parts = [fold(name), *(f"{part:.5f}" if isinstance(part, float) else fold(str(part or "")) for part in where)]
    return "at:" + hashlib.sha256("|".join(parts).encode()).hexdigest()[:20]
