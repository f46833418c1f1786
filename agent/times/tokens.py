"""Time words made plain: one line of small tokens that keep the marks that times need ("8:30", "15/12", "2026-12-15", "-"),
with numbers in digits ("half past seven" is "half past 7"), and each token knows which words of the question it came from.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.times.words import ALIASES, NUMBERS

_PIECE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?!\d)|\d{4}-\d{1,2}(?![\d-])|\d{1,2}([-/.])\d{1,2}\1\d{2,4}(?!\d)|\d{1,2}/\d{1,4}(?!\d)"
    r"|\d{1,2}[:.]\d\d(?!\d)|\d+\.\d(?![\d.])|\d{1,2}h\d\d(?!\d)|\d{1,2}(?:st|nd|rd|th)(?![a-z])|\d+|[a-z]+|[-/@]"
)
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−~"), "-") | dict.fromkeys(map(ord, "'’‘`´"))
_HALVES = {"a": "am", "p": "pm"}


@dataclass(frozen=True, slots=True)
class Line:
    """The tokens as one text, each with where it starts in it and the first and last word that it came from."""

    text: str
    starts: tuple[int, ...]
    words: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The words (first, end exclusive) under a stretch of the text."""
        inside = [words for at, words in zip(self.starts, self.words, strict=True) if start <= at < end]
        return inside[0][0], inside[-1][1] + 1


def line_of(chunks: Sequence[str]) -> Line:
    """The line of a question's words as they were typed, split at spaces."""
    tokens: list[tuple[str, int, int]] = []
    tens = False
    for at, chunk in enumerate(chunks):
        for piece in _pieces(chunk):
            token = NUMBERS.get(piece) or ALIASES.get(piece, piece)
            if tens and piece in NUMBERS and len(token.rstrip("stndrh")) == 1:
                before, first, _ = tokens.pop()
                tokens.append((before[0] + token, first, at))
            else:
                tokens.append((token, at, at))
            tens = piece in ("twenty", "thirty", "forty", "fifty")
    return _joined(tokens)


def _joined(tokens: Sequence[tuple[str, int, int]]) -> Line:
    starts: list[int] = []
    offset = 0
    for token, _, _ in tokens:
        starts.append(offset)
        offset += len(token) + 1
    return Line(" ".join(token for token, _, _ in tokens), tuple(starts), tuple((first, last) for _, first, last in tokens))


def _pieces(chunk: str) -> Iterator[str]:
    """The pieces of one chunk: "8.30pm" is "8:30" and "pm", "13h30" is "13:30"."""
    if chunk.isascii() and chunk.isalpha():
        yield chunk.lower()
        return
    plain = "".join(char for char in unicodedata.normalize("NFKD", chunk.lower().translate(_DASHES)) if not unicodedata.combining(char))
    before = ""
    for match in _PIECE.finditer(plain):
        piece = match[0]
        if before[-1:].isdigit() and piece in _HALVES and match.end() == len(plain):
            piece = _HALVES[piece]
        elif len(piece) in (4, 5) and piece[-3] in ".h" and piece[-2:] < "60":
            piece = f"{piece[:-3]}:{piece[-2:]}"
        if piece not in ("-", "/") or before[-1:].isdigit() or len(plain) == 1:
            yield piece
        before = piece
