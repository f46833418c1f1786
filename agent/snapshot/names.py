"""How a name is folded, so that one spelling finds all: used when a snapshot is written and when a question is read."""

import unicodedata
from collections.abc import Sequence

_APOSTROPHES = dict.fromkeys(map(ord, "'’‘ʼ´`′＇"))
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "&": " and "})
_ASCII = {code: None if chr(code) in "'`" else " and " if chr(code) == "&" else " " for code in range(128) if not chr(code).isalnum()}
_ARTICLES = ("the ", "a ", "an ", "le ", "la ", "les ", "el ", "los ", "las ", "il ", "lo ", "der ", "die ", "das ", "de ")


def fold(text: str) -> str:
    """Lower case without accents, apostrophes or punctuation, words apart by one space: "L'Épi d'Or" is "lepi dor".

    Marks are dropped from Latin, Greek and Cyrillic letters alone: in other scripts they are part of the word.
    """
    if text.isascii():
        return " ".join(text.lower().translate(_ASCII).split())
    text = unicodedata.normalize("NFKC", text).casefold().translate(_APOSTROPHES).translate(_LETTERS)
    kept: list[str] = []
    base = ""
    for char in unicodedata.normalize("NFD", text):
        group = unicodedata.category(char)[0]
        if group == "M" and base < "\u0530":
            continue
        base = base if group == "M" else char
        kept.append(char if group in "LNM" else " ")
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def without_article(folded: str) -> str:
    """A folded name less its leading article, or itself where nothing else would be left."""
    for article in _ARTICLES:
        if folded.startswith(article) and len(folded) > len(article):
            return folded[len(article) :]
    return folded


def pieces(folded: str) -> list[str]:
    """The three-letter pieces of a folded name in order, its ends marked by spaces."""
    padded = f"  {folded} "
    return [padded[start : start + 3] for start in range(len(padded) - 2)]


def apart(costs: Sequence[int], many: int, gap: int = 4) -> list[int]:
    """The cheapest choice of up to `many` places in a row of costs, each at least `gap` from the next: as many as fit.

    Of pieces of three letters that begin four apart, a typo (a letter more, less or changed, or two swapped) spoils one at most.
    """
    best: list[list[tuple[int, int, tuple[int, ...]]]] = [[(0, 0, ())] * (len(costs) + gap)]
    for _ in range(many):
        row = [best[-1][0]] * gap
        for at, cost in enumerate(costs):
            fewer, sofar, chosen = best[-1][at]
            row.append(min(row[-1], (fewer - 1, sofar + cost, (*chosen, at))))
        best.append(row)
    return list(best[-1][-1][2])
