"""Keywords: phrases become canonical tags, scores and price words, by the town's own vocabulary first, by embeddings for what is left (A-12, A-13)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from agent.deps import Deps
from agent.snapshot.lexicon import Lexicon, Name, singular
from agent.snapshot.names import fold
from agent.types import Tags

SURE = 0.85  # a cosine at which a phrase means a tag with no word in common; measured, see docs/decisions/0035
AGREED = 0.6  # of events only, for a name of somebody's shop has neighbours too: a cosine that is enough for one word whose three nearest phrases are all of one tag
PRICES = {
    "free": ("free",), "cheap": ("free", "cheap"), "inexpensive": ("free", "cheap"), "budget": ("free", "cheap"), "moderate": ("moderate",),
    "mid range": ("moderate",), "expensive": ("expensive",), "upmarket": ("expensive",),
}  # fmt: skip
_SOFT = frozenset(
    "a an the some any good nice great best lovely decent proper place places spot spots somewhere in of for and with that serves type".split()
)
_WORDS = ("tag", "score")


def resolve(phrases: Sequence[str], without: Sequence[str], deps: Deps, kinds: Sequence[str] = _WORDS) -> Tags:
    """What a call's phrases ask for, by names of these kinds. A phrase that nothing here is called by is unmet, never dropped (A-13)."""
    lexicon = deps.lexicon
    wanted, left = Tags(), []
    for phrase in phrases:
        alternatives = [_read(fold(part), lexicon, kinds) for part in phrase.split(" or ")]
        wanted = _join(wanted, alternatives, lexicon)
        left += [word for _, _, missing in alternatives for word in missing]
    known = bool(wanted.groups or wanted.scores or wanted.prices)
    nearest = nearest_tags(left, deps, events="score" not in kinds)
    for phrase, (tag, _) in zip(left, nearest, strict=True):
        wanted = replace(wanted, unmet=(*wanted.unmet, phrase)) if tag is None else _add(wanted, (tag,), lexicon)
    wanted = replace(wanted, far=not known and bool(nearest) and all(cosine < deps.budget.floor for _, cosine in nearest))
    return _leave_out(_sensible(wanted), without, lexicon)


def _sensible(wanted: Tags) -> Tags:
    """Prices that exclude each other ("free expensive hotel") are a condition that nothing meets."""
    asked = dict.fromkeys(wanted.prices)
    if "expensive" in asked and len(asked) > 1:
        return replace(wanted, unmet=(*wanted.unmet, "at once " + " and ".join(asked)))
    return wanted


def _leave_out(wanted: Tags, without: Sequence[str], lexicon: Lexicon) -> Tags:
    """What is not wanted: kinds by their tags, named places by their ids."""
    names: list[Name] = []
    for phrase in without:
        names += [name for name in _read(fold(phrase), lexicon)[0] if name.kind == "tag"] or lexicon.find(phrase, ("landmark", "place"))
    return replace(
        wanted,
        without=tuple(name.ref for name in names if name.kind == "tag"),
        without_places=tuple(name.ref for name in names if name.kind != "tag"),
        without_names=tuple(dict.fromkeys(name.text for name in names)),
    )


def nearest_tags(phrases: Sequence[str], deps: Deps, *, events: bool = False) -> list[tuple[Name | None, float]]:
    """For each phrase the tag whose vector is nearest above the floor, if a word in common or a high cosine speaks for it, else None; and the
    highest cosine of any tag. One batch.
    """
    vectors = deps.snapshot.vectors()
    if not phrases or not len(vectors.matrix):
        return [(None, 0.0)] * len(phrases)
    cosines = deps.embedder.encode(list(phrases)) @ vectors.matrix.T
    return [
        (_choose(phrase, row, vectors.tags, vectors.phrases, deps, events=events), float(row.max()))
        for phrase, row in zip(phrases, cosines, strict=True)
    ]


def _choose(
    phrase: str, cosines: np.ndarray[tuple[int], np.dtype[np.float32]], tags: Sequence[int], texts: Sequence[str], deps: Deps, *, events: bool
) -> Name | None:
    best: dict[int, tuple[float, str]] = {}
    order = np.argsort(-cosines)
    for index in order[:20]:
        if cosines[index] >= deps.budget.floor and len(best) < deps.budget.tags_per_phrase:
            best.setdefault(int(tags[index]), (float(cosines[index]), texts[index]))
    words = [{word, *singular(word)} for word in phrase.split() if word not in _SOFT]
    agreed = events and len(words) == 1 and cosines[order[0]] >= AGREED and len({tags[index] for index in order[: deps.budget.tags_per_phrase]}) == 1
    for tag, (cosine, text) in sorted(best.items(), key=lambda one: _rank(one[0], deps.lexicon, events=events)):
        if agreed or cosine >= SURE or all(word & _forms(text) for word in words):
            return Name(fold(text), "tag", tag, text, 0)
    return None


def _rank(tag: int, lexicon: Lexicon, *, events: bool) -> tuple[bool, bool]:
    """What some place (or event, where one is asked for) bears comes before what none does; what a thing is before what it has."""
    return not lexicon.counts(tag)[events], lexicon.kind_of(tag) != "category"


def _forms(text: str) -> set[str]:
    """The words of a tag's phrase, each also in the singular."""
    return {form for word in fold(text).split() for form in (word, *singular(word))}


def _read(folded: str, lexicon: Lexicon, kinds: Sequence[str] = _WORDS) -> tuple[list[Name], list[str], list[str]]:
    """A folded phrase as (names of tags and scores, price words, words that are left)."""
    names: list[Name] = []
    prices: list[str] = []
    left: list[list[str]] = [[]]
    words = folded.split()
    at = 0
    while at < len(words):
        end, hits = lexicon.longest(words, at, kinds, typos=True)
        if words[at] in PRICES and (end <= at + 1 or not hits):  # a town may score "value", and "cheap" asks for the price all the same
            prices.append(words[at])
            end = at + 1
        elif hits:
            names.append(hits[0])
        elif words[at] not in _SOFT:
            left[-1].append(words[at])
            at += 1
            continue
        left.append([])
        at = max(end, at + 1)
    return names, prices, [" ".join(run) for run in left if run]


def _join(wanted: Tags, alternatives: Sequence[tuple[list[Name], list[str], list[str]]], lexicon: Lexicon) -> Tags:
    """One phrase adds one group for each tag it names; "x or y" adds one group that either meets."""
    if len(alternatives) > 1:
        either = [name for names, _, _ in alternatives for name in names]
        wanted = _add(wanted, either, lexicon) if either else wanted
    else:
        for name in alternatives[0][0]:
            wanted = _add(wanted, (name,), lexicon)
    prices = tuple(level for _, words, _ in alternatives for word in words for level in PRICES[word])
    return replace(wanted, prices=wanted.prices + prices)


def _add(wanted: Tags, names: Sequence[Name], lexicon: Lexicon) -> Tags:
    scores = tuple(lexicon.canonical(name) for name in names if name.kind == "score")
    group = tuple(dict.fromkeys(name.ref for name in names if name.kind == "tag"))
    if group and group not in wanted.groups:
        wanted = replace(
            wanted, groups=(*wanted.groups, group), names=(*wanted.names, " or ".join(dict.fromkeys(n.text for n in names if n.kind == "tag")))
        )
    return replace(wanted, scores=wanted.scores + scores)
