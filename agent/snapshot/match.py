"""Words into a query of the text indexes (FTS5), such that no input is a syntax error, an operator or a prefix search."""

from collections.abc import Iterable

from agent.snapshot.names import fold

_MOST = 24  # words; a query has at most 140 characters


def match(words: Iterable[str], *, either: bool = False) -> str:
    """A query for rows that hold all the words, or any of them with `either`. Each is folded and quoted; without words nothing is found."""
    folded = [word for text in words for word in fold(text).split()][:_MOST]
    return (" OR " if either else " AND ").join(f'"{word}"' for word in folded) or '""'


def indexed(text: str) -> str:
    """A text as the indexes take it, so that a folded word finds it; the tokenizer lowers the case and drops accents and punctuation."""
    return text.replace("'", "").replace("&", " and ") if text.isascii() else fold(text)
