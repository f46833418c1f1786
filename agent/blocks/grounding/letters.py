"""What may be written at all in a model's own words: plain letters, figures and the signs of a sentence."""

import unicodedata
from collections.abc import Iterator

_SIGNS = frozenset(".,;:!?'’‘\"“”()-–—/&%£€$+@…_")
_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "HEBREW", "ARABIC", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "DEVANAGARI")


def odd_letters(free: str) -> list[str]:
    """Signs and letters of a model's words that are no plain text: hidden and turning characters, markup, look-alikes of another alphabet.

    `free` is NFC, without its slots.
    """
    return [*_signs(free), *_mixed(free)]


def _signs(free: str) -> Iterator[str]:
    for char in dict.fromkeys(free):
        if char == " " or char.isalnum() or char in _SIGNS:
            continue
        group = unicodedata.category(char)
        if group == "Cf":
            yield f"the hidden character U+{ord(char):04X} is not plain text"
        elif group[0] != "M":
            yield f"the sign {char!r} is not plain text"


def _mixed(free: str) -> Iterator[str]:
    """Words whose letters are of two alphabets, so that one looks like another."""
    if free.isascii():
        return
    for word in free.split():
        scripts = {script for char in word if char.isalpha() and not char.isascii() for script in _SCRIPTS if script in unicodedata.name(char, "")}
        if any(char.isascii() and char.isalpha() for char in word):
            scripts.add("LATIN")
        if len(scripts) > 1:
            yield f"the word '{word}' mixes letters of two alphabets"
