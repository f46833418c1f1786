"""Reading one clause: as a question after a named thing, as one about what is on, else as a search for places."""

from collections.abc import Sequence
from dataclasses import replace

from agent.llm.rules.events import events
from agent.llm.rules.named import asked_by_name
from agent.llm.rules.reading import Reading
from agent.llm.rules.search import search
from agent.llm.rules.tokens import Word, text_of
from agent.snapshot.lexicon import Lexicon
from agent.times import find_when
from agent.types import Town


def read(words: Sequence[Word], number: int, lexicon: Lexicon, town: Town) -> Reading:
    """What a clause asks. A name is looked for before its time words are taken out, for it may hold some: "the Sunday Market"."""
    if reading := asked_by_name(words, lexicon) or asked_by_name(_first_sentence(words), lexicon):
        return reading
    spots = [spot for spot in find_when(words, town) if not lexicon.word(text_of(words[spot.first : spot.end]), ("tag",), typos=False)]
    when = " ".join(spot.words for spot in spots)
    taken = {at for spot in spots for at in range(spot.first, spot.end)}
    left = [word for at, word in enumerate(words) if at not in taken]
    if spots and left and (reading := asked_by_name(left, lexicon) or asked_by_name(_first_sentence(left), lexicon)):
        return replace(reading, when=when)
    return events(words, left, when, number, lexicon, town.name) or search(left, when, number, lexicon, town.name)


def _first_sentence(words: Sequence[Word]) -> Sequence[Word]:
    """ "L'Ancre open tonight? Do I need to book": what is asked of a name stands before the rest."""
    end = next((at + 1 for at, word in enumerate(words) if word.ends == "."), len(words))
    return words[:end] if end < len(words) else ()
