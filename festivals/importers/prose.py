"""Descriptions as plain sentences: calendars like to write HTML into theirs."""

import html
import re

from django.utils.html import strip_tags

from places.importers import clean

_MARKUP = re.compile(r"(?i)</?(p|br|a|b|i|em|strong|div|span|ul|ol|li|h[1-6]|html|body|head|table|tr|td|img)\b[^<>]*>")
_HIDDEN = re.compile(r"(?is)<(script|style|head)\b.*?</\1\s*>")


def plain(value: object) -> str:
    """A text as one line without markup. What only looks like markup ("a < b") stays."""
    words = "" if value is None else str(value)
    if _MARKUP.search(words):
        words = html.unescape(strip_tags(_MARKUP.sub(r" \g<0>", _HIDDEN.sub(" ", words))))
    return clean.text(words)


def joined(*parts: str) -> str:
    """Parts of a description, one after another, each once."""
    return " ".join(dict.fromkeys(part for part in parts if part))
