"""Reading one clause: as a question after a named thing, else as a search."""

from collections.abc import Sequence

from agent.llm.rules.named import asked_by_name
from agent.llm.rules.reading import Reading
from agent.llm.rules.search import search
from agent.llm.rules.tokens import Word
from agent.snapshot.lexicon import Lexicon


def read(words: Sequence[Word], number: int, lexicon: Lexicon, town: str) -> Reading:
    """What a clause asks."""
    return asked_by_name(words, lexicon) or search(words, number, lexicon, town)
