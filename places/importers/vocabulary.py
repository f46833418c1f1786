"""The words of `osm_tags.toml`: which tag an OSM key and value, or a word in a table, stands for."""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from django.utils.text import slugify

from agent.snapshot.names import fold

FILE = Path(__file__).with_name("osm_tags.toml")
KINDS = ("category", "cuisine", "attribute", "topic")
_WORDS = re.compile(r"[a-z][a-z0-9_ '&-]{1,39}")
_NOT_A_KIND = {"yes", "no", "none", "unknown", "fixme", "other", "user defined"}


@dataclass(frozen=True, slots=True)
class TagWord:
    """A tag to be: its parent's name or "", and its synonyms. `weak` categories yield to any other as the main one."""

    name: str
    kind: str
    parent: str = ""
    synonyms: tuple[str, ...] = ()
    weak: bool = False

    @property
    def slug(self) -> str:
        """The tag's public id; a name without Latin letters has a digest of itself."""
        return _slug(self.name)


@dataclass(frozen=True, slots=True)
class Rule:
    """One `osm` entry: all its pairs must be there."""

    pairs: tuple[tuple[str, str], ...]
    tag: TagWord


class Vocabulary:
    """The tags of the file, by name, by word, and by the OSM pair that stands first in their rules."""

    def __init__(self, data: Mapping[str, Mapping]) -> None:
        self.main_keys: tuple[str, ...] = tuple(data["keys"]["main"])
        self.kinds: Mapping[str, str] = data["keys"]["words"]
        self.parents: Mapping[str, str] = data["keys"]["parents"]
        self.tags: dict[str, TagWord] = {}
        self._rules: dict[str, list[Rule]] = {}
        self._words: dict[str, TagWord] = {}
        for kind in KINDS:
            for name, entry in data.get(kind, {}).items():
                self._add(name, kind, entry)
        self._other_keys = ({pair.split("=")[0] for pair in self._rules} | set(self.kinds)) - set(self.main_keys)

    def _add(self, name: str, kind: str, entry: Mapping) -> None:
        tag = TagWord(name, kind, self._parent(name, entry), tuple(entry.get("also", ())), bool(entry.get("weak")))
        self.tags[name] = tag
        for word in (name, *tag.synonyms):
            self._words.setdefault(_squash(word), tag)
        for line in entry.get("osm", ()):
            pairs = tuple(tuple(pair.strip().split("=", 1)) for pair in line.split(" + "))
            self._rules.setdefault("=".join(pairs[0]), []).append(Rule(pairs, tag))

    def _parent(self, name: str, entry: Mapping) -> str:
        if "parent" in entry:
            return entry["parent"]
        keys = {line.split("=", 1)[0] for line in entry.get("osm", ())}
        parent = self.parents.get(next(iter(keys)), "") if len(keys) == 1 else ""
        return "" if parent == name else parent

    def word(self, word: str) -> TagWord | None:
        """The tag that a word of a table names, by its name or a synonym; spaces, hyphens and case do not matter."""
        return self._words.get(_squash(word))

    def of(self, osm: Mapping[str, str]) -> list[TagWord]:
        """The tags of a feature, the category that says best what it is first."""
        found: dict[str, TagWord] = {}
        keys = [key for key in self.main_keys if key in osm] + sorted(set(osm) & self._other_keys)
        for key in keys:
            for value in str(osm[key]).split(";"):
                for tag in self._matching(osm, key, value.strip()):
                    found.setdefault(tag.name, tag)
        return sorted(found.values(), key=lambda tag: (tag.kind != "category", tag.weak))

    def _matching(self, osm: Mapping[str, str], key: str, value: str) -> Iterable[TagWord]:
        rules = [*self._rules.get(f"{key}={value.lower()}", ()), *self._rules.get(f"{key}=*", ())]
        met = [rule for rule in rules if all(_holds(osm, pair) for pair in rule.pairs[1:])]
        if rules:
            most = max((len(rule.pairs) for rule in met), default=0)
            return [rule.tag for rule in met if len(rule.pairs) == most]
        return self._from_value(key, value)

    def _from_value(self, key: str, value: str) -> list[TagWord]:
        """The tag of a value that the file does not list: its own words ("tool_hire" is "tool hire")."""
        if key not in self.kinds:
            return []
        words = value.lower().replace("_", " ").strip(" -")
        if words in _NOT_A_KIND or not _WORDS.fullmatch(words):
            return []
        known = self.tags.get(words)
        return [known or TagWord(words, self.kinds[key], self.parents.get(key, ""))]


@lru_cache(maxsize=4096)
def _slug(name: str) -> str:
    return slugify(name)[:80] or "tag-" + hashlib.sha256(fold(name).encode()).hexdigest()[:12]


@lru_cache(maxsize=4096)
def _squash(word: str) -> str:
    return fold(word).replace(" ", "")


def _holds(osm: Mapping[str, str], pair: tuple[str, str]) -> bool:
    key, value = pair
    return key in osm and (value == "*" or value in str(osm[key]).lower().split(";"))


@cache
def vocabulary() -> Vocabulary:
    """The words that ship with the product."""
    return Vocabulary(tomllib.loads(FILE.read_text(encoding="utf-8")))
