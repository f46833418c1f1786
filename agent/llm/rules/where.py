"""Where a clause looks from: the phrase behind a preposition, as the town's own names have it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.llm.rules.tokens import Word, text_of
from agent.llm.rules.words import CLOSE_TO, COMPASS, DETERMINERS, INSIDE, LITTLE, NO_PLACE, POINTING, PRICES, PRONOUNS, SIDES, SOFT
from agent.snapshot.lexicon import Lexicon, Name
from agent.snapshot.names import fold, without_article

KNOWN = ("landmark", "area", "place")
_MOST = 10
_THERE = re.compile(r"\b(?:near ?by|close by|near|near to|around|next to|close to|by) (?:there|it|them)\b")
_RADIUS = re.compile(r"\b(?:within|in) (?:an? )?(?:\w+ )?(?:mile|miles|km|kilometres?|minutes?|metres?|blocks?)(?: radius| walk| drive)?\b")
_HERE = re.compile(
    r"\b((?:in|around|near|at|by|from|to) (?:my|me|our|current|this) (?:current |local |own |home )?(?:area|location|place|town|city|neighbou?rhood|hotel|house|home|position|spot)|where i am|near ?by|near (me|us|here)|around (here|me|us)|close (by|to me|to us|to here)|closest to me|nearest to me)\b"
)


def _by_first_word(cues: Iterable[tuple[tuple[str, ...], bool]]) -> dict[str, list[tuple[tuple[str, ...], bool]]]:
    """Prepositions by their first word, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], bool]]] = {}
    for cue in sorted(cues, key=lambda one: -len(one[0])):
        found.setdefault(cue[0][0], []).append(cue)
    return found


# Each with whether it means near; "to" is one only behind "closest".
_CUES = _by_first_word([(tuple(cue.split()), True) for cue in CLOSE_TO] + [(tuple(cue.split()), cue in ("by", "to", "from")) for cue in INSIDE])


@dataclass(frozen=True, slots=True)
class Where:
    """A phrase for the question's `where`, and the words of the clause that it took. `inside` tells "in" from "near"."""

    phrase: str | None
    taken: frozenset[int]
    inside: bool = False


@dataclass(frozen=True, slots=True)
class _Spot:
    """The words behind a preposition, up to the end of the sentence."""

    words: Sequence[Word]
    start: int
    number: int
    close: bool
    lexicon: Lexicon
    town: str

    @property
    def end(self) -> int:
        most = min(len(self.words), self.start + _MOST)
        return next((at + 1 for at in range(self.start, most) if self.words[at].ends == "."), most)

    @property
    def texts(self) -> list[str]:
        return [word.text for word in self.words[: self.end]]

    def forms(self) -> list[tuple[str, int]]:
        """The phrases that begin here, longest first, each with where it stops."""
        return [(text_of(self.words[self.start : stop]), stop) for stop in range(self.end, self.start, -1)]


def find_where(words: Sequence[Word], number: int, lexicon: Lexicon, town: str) -> Where:
    """The anchor phrase of a clause; "city" where nothing is said, None where it only points. Sure names come before likely ones, wherever they stand."""
    text = text_of(words)
    if number > 1 and (before := _THERE.search(text)):
        return Where(f"near Q{number - 1}", frozenset(_positions(text, before)))
    here = _HERE.search(text)
    skipped = {at for found in (here, _RADIUS.search(text)) if found for at in _positions(text, found)}
    superlative = bool({"nearest", "closest"} & {word.text for word in words})
    spots = [
        (at, at + len(cue), close)
        for at in range(len(words))
        if at not in skipped
        for cue, close in _cues([word.text for word in words], at, superlative)
    ]
    whole_town = None
    for behind in (_sure, _likely, _unknown):
        for at, start, close in spots:
            if whole_town and behind is not _sure and not close:
                continue
            if start < len(words) and (found := behind(_Spot(words, start, number, close, lexicon, town))):
                where = Where(found.phrase, found.taken | frozenset(range(at, start)), not close)
                if where.phrase != "city":
                    return where
                whole_town = whole_town or where
    return whole_town or Where(None if here else "city", frozenset(skipped))


def _positions(text: str, found: re.Match[str]) -> range:
    """The positions of the words that a pattern matched."""
    first = len(text[: found.start()].split())
    return range(first, first + len(found[0].split()))


def _cues(texts: Sequence[str], at: int, superlative: bool) -> list[tuple[tuple[str, ...], bool]]:
    """Prepositions that stand at a position, the longest first, each with whether it means near."""
    here = ((cue, close) for cue, close in _CUES.get(texts[at], ()) if tuple(texts[at : at + len(cue)]) == cue and (cue != ("to",) or superlative))
    return list(here)[:1]


def _sure(spot: _Spot) -> Where | None:
    """A question before, the town itself, or a name of the town as written."""
    first = spot.texts[spot.start]
    if spot.close and first in PRONOUNS and spot.number > 1:
        return Where(f"near Q{spot.number - 1}", frozenset((spot.start,)))
    if spot.close and first in POINTING:
        return None
    side = _side(spot.texts, spot.start, spot.lexicon, spot.town)
    for form, stop in spot.forms():
        if side and side.phrase != "city" and stop <= max(side.taken) + 1:
            return side
        if named(form, spot.lexicon):
            return Where(form, frozenset(range(spot.start, stop)))
        if _is_town(form, spot.town):
            return Where("city", frozenset(range(spot.start, stop)))
    return side


def named(form: str, lexicon: Lexicon) -> tuple[Name, ...]:
    """Names that a phrase is, with or without its article, less words that are also everyday English of one word."""
    bare = without_article(form)
    return lexicon.exact(form, KNOWN) or (lexicon.exact(bare, KNOWN) if bare not in LITTLE else ())


def _is_town(form: str, town: str) -> bool:
    own = fold(town)
    return without_article(form) in (own, "town", "city", f"{own} city", f"{own} town", f"city of {own}", f"town of {own}", f"{own} itself")


def _side(texts: Sequence[str], start: int, lexicon: Lexicon, town: str) -> Where | None:
    """Areas as people say them: "the east part of town", "the city centre", "the western side", "Cambridge Centre"."""
    own = set(fold(town).split())
    generic = SIDES | own | {"of", "town", "city", "the"}
    stop = start
    core: list[str] = []
    while stop < len(texts) and stop - start < 7:
        word = COMPASS.get(texts[stop], texts[stop])
        if word in generic:
            pass
        elif not core and lexicon.exact(word, ("area",)):
            core.append(word)
        else:
            break
        stop += 1
    while stop > start and texts[stop - 1] in ("the", "of"):
        stop -= 1
    if core:
        return Where(core[0], frozenset(range(start, stop)))
    if stop > start and set(texts[start:stop]) & ({"town", "city"} | own):
        return Where("city", frozenset(range(start, stop)))
    if stop - start >= 2 and set(texts[start:stop]) & SIDES:
        return Where("city", frozenset(range(start, stop)))
    return None


def _likely(spot: _Spot) -> Where | None:
    """A landmark by its kind ("the lake"), a part of a name, or a name with a typo."""
    if spot.texts[spot.start] in POINTING:
        return None
    for form, stop in spot.forms():
        bare = without_article(form)
        kind = spot.lexicon.word(bare, ("tag",), typos=False) and stop - spot.start <= 4 and (spot.close or bare != form)
        part = stop - spot.start > 1 and bare not in LITTLE and spot.lexicon.holding(bare.split(), ("landmark", "area"))
        if kind or part or (len(form) > 5 and spot.lexicon.close(form, KNOWN)):
            return Where(form, frozenset(range(spot.start, stop)))
    return None


def _unknown(spot: _Spot) -> Where | None:
    """A phrase that names nothing here: behind "near" whatever it is; behind "in" when it looks like a name."""
    words = spot.words
    run: list[int] = []
    if spot.texts[spot.start] == "my":
        return None
    for at in range(spot.start, spot.end):
        text = words[at].text
        if text in DETERMINERS and not run:
            continue
        if text in LITTLE or text in NO_PLACE or text in PRICES:
            break
        if not spot.close and spot.lexicon.word(text, ("tag",), typos=False):
            return None
        run.append(at)
        if words[at].ends:
            break
    if not run or len(run) > 4 or words[run[0]].text.isdigit() or all(words[at].text in SOFT for at in run):
        return None
    looks = words[run[0]].raw[:1].isupper() or run[-1] == len(words) - 1 or bool(words[run[-1]].ends)
    if not spot.close and not looks:
        return None
    return Where(text_of([words[at] for at in run]), frozenset(range(spot.start, run[-1] + 1)))
