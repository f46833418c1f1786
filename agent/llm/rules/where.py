"""Where a clause looks from: the phrase behind a preposition, as the town's own names have it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.llm.rules.tokens import Word, text_of
from agent.llm.rules.words import CLOSE_TO, COMPASS, DETERMINERS, INSIDE, LITTLE, NO_PLACE, POINTING, PRICES, PRONOUNS, SIDES, SOFT
from agent.snapshot.lexicon import Lexicon, Name
from agent.snapshot.names import fold, without_article

KNOWN = ("landmark", "area", "place")
_MOST = 10
_HERE = re.compile(r"\b(near ?by|near (me|us|here)|around (here|me|us)|close (by|to me|to us|to here)|closest to me|nearest to me)\b")


@dataclass(frozen=True, slots=True)
class Where:
    """A phrase for the question's `where`, and the words of the clause that it took. `inside` tells "in" from "near"."""

    phrase: str | None
    taken: frozenset[int]
    inside: bool = False


def find_where(words: Sequence[Word], number: int, lexicon: Lexicon, town: str) -> Where:
    """The anchor phrase of a clause; "city" where nothing is said, None where it only points."""
    texts = [word.text for word in words]
    superlative = bool({"nearest", "closest"} & set(texts))
    unknown: Where | None = None
    for at in range(len(words)):
        for cue, close in _cues(texts, at, superlative):
            start = at + len(cue)
            found = _behind(words, start, number, lexicon, town, close)
            if found is None:
                continue
            taken = found.taken | frozenset(range(at, start))
            if found.phrase is not None or not close:
                if found.phrase and found.phrase.startswith("?"):
                    unknown = unknown or Where(found.phrase[1:], taken)
                    continue
                return Where(found.phrase, taken, not close)
    if unknown:
        return unknown
    pointing = _HERE.search(text_of(words))
    return Where(None if pointing else "city", frozenset())


def _cues(texts: Sequence[str], at: int, superlative: bool) -> list[tuple[tuple[str, ...], bool]]:
    """Prepositions that stand at a position, the longest first, each with whether it means near."""
    found = [(tuple(cue.split()), True) for cue in CLOSE_TO] + [
        (tuple(cue.split()), cue in ("by", "to", "from") and (cue != "to" or superlative)) for cue in INSIDE
    ]
    here = [(cue, close) for cue, close in found if tuple(texts[at : at + len(cue)]) == cue and (cue != ("to",) or superlative)]
    return sorted(here, key=lambda one: -len(one[0]))[:1]


def _behind(words: Sequence[Word], start: int, number: int, lexicon: Lexicon, town: str, close: bool) -> Where | None:
    """What stands behind a preposition: a name of the town, the town itself, a question before, or a name nobody here bears ("?…")."""
    end = _stop(words, start)
    if start >= len(words):
        return None
    texts = [word.text for word in words[:end]]
    if close and texts[start:] and texts[start] in PRONOUNS and number > 1:
        return Where(f"near Q{number - 1}", frozenset((start,)))
    if close and texts[start:] and texts[start] in POINTING:
        return None
    for form, stop in _forms(words, start, end):
        if _is_town(form, town):
            return Where("city", frozenset(range(start, stop)))
        if named(form, lexicon):
            return Where(form, frozenset(range(start, stop)))
    return _side(texts, start, lexicon, town) or _fuzzy(words, start, end, lexicon) or _unknown(words, start, end, close)


def named(form: str, lexicon: Lexicon) -> tuple[Name, ...]:
    """Names that a phrase is, with or without its article, less words that are also everyday English of one word."""
    bare = without_article(form)
    return lexicon.exact(form, KNOWN) or (lexicon.exact(bare, KNOWN) if bare not in LITTLE else ())


def _stop(words: Sequence[Word], start: int) -> int:
    """Where a name behind a preposition must end: a sentence's end, or the longest name there can be."""
    for at in range(start, min(len(words), start + _MOST)):
        if words[at].ends == ".":
            return at + 1
    return min(len(words), start + _MOST)


def _forms(words: Sequence[Word], start: int, end: int) -> list[tuple[str, int]]:
    """The phrases that begin here, longest first."""
    return [(text_of(words[start:stop]), stop) for stop in range(end, start, -1)]


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


def _fuzzy(words: Sequence[Word], start: int, end: int, lexicon: Lexicon) -> Where | None:
    """A landmark by its kind ("the lake"), a part of a name, or a name with a typo."""
    for form, stop in _forms(words, start, end):
        bare = without_article(form)
        if lexicon.word(bare, ("tag",), typos=False) and stop - start <= 4:
            return Where(form, frozenset(range(start, stop)))
        if stop - start > 1 and lexicon.holding(bare.split(), ("landmark", "area")) and bare not in LITTLE:
            return Where(form, frozenset(range(start, stop)))
        if len(form) > 5 and lexicon.close(form, KNOWN):
            return Where(form, frozenset(range(start, stop)))
    return None


def _unknown(words: Sequence[Word], start: int, end: int, close: bool) -> Where | None:
    """A phrase that names nothing here: behind "near" whatever it is; behind "in" when it looks like a name."""
    run: list[int] = []
    for at in range(start, end):
        text = words[at].text
        if text in DETERMINERS and not run:
            continue
        if text in LITTLE or text in NO_PLACE or text in PRICES or (text in SOFT and not words[at].raw[:1].isupper()):
            break
        run.append(at)
        if words[at].ends:
            break
    if not run or len(run) > 4 or words[run[0]].text.isdigit():
        return None
    looks = words[run[0]].raw[:1].isupper() or run[-1] == len(words) - 1 or bool(words[run[-1]].ends)
    return Where("?" + text_of([words[at] for at in run]), frozenset(range(start, run[-1] + 1))) if close or looks else None
