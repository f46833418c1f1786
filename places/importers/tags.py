"""The tags and score kinds of an import: those that the town has are used as they are, the others are made."""

from collections.abc import Iterable

from django.utils.text import slugify

from agent.snapshot.names import fold
from places.importers.vocabulary import TagWord, vocabulary
from places.models import ScoreKind, Synonym, Tag


class TagBook:
    """Finds the tag of a word: by its public id, its name or a curator's synonym. Makes it, with its synonyms and parents, where there is none."""

    def __init__(self) -> None:
        self._by_slug: dict[str, Tag] = {}
        self._by_word: dict[str, Tag] = {}
        for phrase in Synonym.objects.select_related("tag"):
            self._by_word[fold(phrase.phrase)] = phrase.tag
        for tag in Tag.objects.order_by("slug"):
            self._know(tag)

    def _know(self, tag: Tag) -> None:
        self._by_slug[tag.slug] = tag
        self._by_word[fold(tag.name)] = tag

    def find(self, word: TagWord) -> Tag | None:
        return self._by_slug.get(word.slug) or self._by_word.get(fold(word.name))

    def need(self, word: TagWord, *, within: frozenset[str] = frozenset()) -> Tag:
        """The tag, made if there is none. `within` are the names of the tags that are being made, so that no circle of parents runs on."""
        tag = self.find(word)
        if tag is None:
            above = vocabulary().tags.get(word.parent)
            parent = self.need(above, within=within | {word.name}) if above and above.name not in within else None
            tag = Tag.objects.create(slug=word.slug, name=word.name, kind=word.kind, parent=parent)
            self._know(tag)
            Synonym.objects.bulk_create(Synonym(tag=tag, phrase=phrase) for phrase in dict.fromkeys(word.synonyms))
        return tag


def score_kinds(names: Iterable[str]) -> dict[str, ScoreKind]:
    """The kinds of these names, by folded name; those that are not known are made."""
    known = {fold(kind.name): kind for kind in ScoreKind.objects.all()}
    for name in names:
        if fold(name) not in known:
            known[fold(name)] = ScoreKind.objects.create(slug=slugify(name)[:40] or "score", name=name[:40], words=name)
    return known
