"""The town's own names: which of them a phrase is, however it is written."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import DamerauLevenshtein

from agent.snapshot.names import apart, fold, pieces, without_article
from agent.snapshot.reader import Belt

_KEPT = 20_000  # phrases remembered, seen or not
_KINDS = "SELECT id, kind, parent, places, events FROM tag"
_SCORES = "SELECT id, name FROM score_kind"
_EXACT = "SELECT folded, kind, ref, text, rank FROM name WHERE folded = ?"
_GRAMS = "SELECT gram, names FROM gram WHERE gram IN (SELECT value FROM json_each(?))"
_LIKE = """
SELECT n.folded FROM (
  SELECT g.name, count(*) AS shared FROM json_each(?) AS one CROSS JOIN name_gram AS g ON g.gram = one.value AND g.size BETWEEN ? AND ?
  GROUP BY g.name HAVING shared >= ? ORDER BY shared DESC, g.name LIMIT 1000
) AS hit CROSS JOIN name AS n ON n.id = hit.name
"""
_WORDS = """
SELECT n.folded, n.kind, n.ref, n.text, n.rank FROM name_fts JOIN name AS n ON n.id = name_fts.rowid
WHERE name_fts MATCH ? ORDER BY length(n.folded), n.rank DESC, n.id LIMIT 20
"""


@dataclass(frozen=True, slots=True)
class Name:
    """One name of one thing. `typos` is how many letters apart it is from what was asked."""

    folded: str
    kind: str
    ref: int
    text: str
    rank: int
    typos: int = 0


class Lexicon:
    """Look-ups of folded phrases over the anchors' belt. Kinds: area, landmark, place, tag, score, festival."""

    def __init__(self, belt: Belt) -> None:
        self._belt = belt
        self._known: dict[str, tuple[Name, ...]] = {}
        self._near: dict[str, tuple[Name, ...]] = {}
        self._tags = {row["id"]: row for row in belt.rows(_KINDS)}
        self._scores: dict[int, str] = dict(map(tuple, belt.rows(_SCORES)))

    def exact(self, phrase: str, kinds: Collection[str]) -> tuple[Name, ...]:
        """Names that fold to just this phrase, best known first."""
        if (hits := self._known.get(phrase)) is None:
            rows = self._belt.rows(_EXACT, (phrase,))
            hits = tuple(sorted((Name(*row) for row in rows), key=lambda name: (-name.rank, name.ref)))
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[phrase] = hits
        return tuple(name for name in hits if name.kind in kinds)

    def tag_kind(self, name: Name) -> str:
        """What kind of tag a name is: category, cuisine, attribute or topic; empty for what is no tag."""
        return str(self._tags[name.ref]["kind"]) if name.kind == "tag" else ""

    def kind_of(self, tag: int) -> str:
        """The kind of a tag by its id."""
        return str(self._tags[tag]["kind"])

    def counts(self, tag: int) -> tuple[int, int]:
        """How many places and how many events bear a tag."""
        row = self._tags[tag]
        return row["places"], row["events"]

    def score(self, phrase: str) -> str:
        """The name of the score kind that a phrase asks for, or nothing."""
        return next((self._scores[name.ref] for name in self.word(fold(phrase), ("score",))), "")

    def canonical(self, name: Name) -> str:
        """What a name's thing is called: a score word by its kind, anything else as it stands."""
        return self._scores[name.ref] if name.kind == "score" else name.text

    def lineage(self, tag: int) -> frozenset[int]:
        """A tag and all its ancestors."""
        found: list[int] = []
        at: int | None = tag
        while at is not None and at not in found:
            found.append(at)
            at = self._tags[at]["parent"]
        return frozenset(found)

    def close(self, phrase: str, kinds: Collection[str]) -> tuple[Name, ...]:
        """Names at most one typo in six letters away, nearest first. Swapped letters are one typo."""
        if (hits := self._near.get(phrase)) is None:
            hits = self._close(phrase, (len(phrase) + 1) // 6)
            if len(self._near) >= _KEPT:
                self._near.clear()
            self._near[phrase] = hits
        return tuple(name for name in hits if name.kind in kinds)

    def _close(self, phrase: str, most: int) -> tuple[Name, ...]:
        """Names of any kind at most so many typos away. Two pieces more than there may be typos are looked up, the rarest that lie apart: a typo
        spoils one of them at most, so every such name holds the rest, which is two where so many fit.
        """
        if most == 0:
            return ()
        grams = pieces(phrase)
        known = dict(map(tuple, self._belt.rows(_GRAMS, (_json(set(grams)),))))
        rare = {grams[at] for at in apart([known.get(gram, 0) for gram in grams], most + 2)}
        found: list[Name] = []
        for (folded,) in self._belt.rows(_LIKE, (_json(rare), len(phrase) - most, len(phrase) + most, max(1, len(rare) - most))):
            typos = DamerauLevenshtein.distance(phrase, folded, score_cutoff=most)
            if typos <= most:
                found += (replace(Name(*row), typos=typos) for row in self._belt.rows(_EXACT, (folded,)))
        return tuple(sorted(found, key=lambda name: (name.typos, -name.rank, name.ref)))

    def holding(self, words: Iterable[str], kinds: Collection[str]) -> tuple[Name, ...]:
        """Names that hold all these words, in any order, shortest first."""
        match = " AND ".join(f'"{word}"' for word in words if word.isalnum())
        return tuple(Name(*row) for row in self._belt.rows(_WORDS, (match,)) if row[1] in kinds) if match else ()

    def word(self, phrase: str, kinds: Collection[str], *, typos: bool = True) -> tuple[Name, ...]:
        """Tags and scores that a folded phrase names: as written, as a singular, then with a typo in its one long word."""
        if hits := self.exact(phrase, kinds):
            return hits
        head, _, last = phrase.rpartition(" ")
        for form in singular(last):
            if hits := self.exact(f"{head} {form}".strip(), kinds):
                return hits
        if not typos or head or len(phrase) < 6:
            return ()
        near = self.close(phrase, kinds) or tuple(hit for form in singular(phrase) for hit in self.close(form, kinds))
        return tuple(name for name in near if name.folded[0] == phrase[0])

    def longest(
        self, words: Sequence[str], start: int, kinds: Collection[str], *, typos: bool = False, most: int = 6
    ) -> tuple[int, tuple[Name, ...]]:
        """The longest run of words from `start` that names something, and what; (start, ()) where none does."""
        for end in range(min(len(words), start + most), start, -1):
            if hits := self.word(" ".join(words[start:end]), kinds, typos=typos):
                return end, hits
        return start, ()

    def find(self, phrase: str, kinds: Collection[str]) -> tuple[Name, ...]:
        """The names a phrase most likely is: as written, without its article, then with typos."""
        folded = fold(phrase)
        bare = without_article(folded)
        return self.exact(folded, kinds) or self.exact(bare, kinds) or self.close(folded, kinds) or self.close(bare, kinds)


def singular(word: str) -> tuple[str, ...]:
    """What an English plural may be the plural of, likeliest first; nothing for a word that is none."""
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return ()
    if word.endswith("ies"):
        return (word[:-3] + "y", word[:-1])
    if word.endswith(("ches", "shes", "sses", "xes", "oes")):
        return (word[:-2], word[:-1])
    return (word[:-1],)


def _json(texts: Iterable[str]) -> str:
    return json.dumps(sorted(texts), ensure_ascii=False)
