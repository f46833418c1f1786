"""The vectors of tags and synonyms, kept beside their words.

No row says which embedder made its vector. Instead every phrase is embedded again, in one batch, and compared with what is stored: so a new phrase, a
renamed tag and another embedder are all noticed, at the cost of 0.3 ms a phrase.
"""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from django.db import models, transaction

from places.export import VECTOR_DIGITS, nfc
from places.models import Synonym, Tag

TOLERANCE = 1e-3  # of one number of a vector: far over rounding and the effect of a batch, far under what another phrase gives
AT_ONCE = 200  # rows of one UPDATE

Phrase: TypeAlias = tuple[type[models.Model], int, str, list[float] | None]  # its table, its key, its words, its vector


class Embedder(Protocol):
    """What is needed of an embedder (`agent.deps` has the whole)."""

    def encode(self, texts: Sequence[str]) -> Any: ...


def fresh(embedder: Embedder, using: str = "default") -> dict[str, list[float]]:
    """The vector of each phrase of the tags and synonyms whose stored vector is missing or is not this embedder's, rounded to four decimals.

    Each is computed on its own: in a batch the last digits would depend on what else is in it, and with them the snapshot's hash.
    """
    return {words: _alone(embedder, words) for _, _, words, _ in _stale(embedder, using)}


def fill(embedder: Embedder, using: str = "default") -> int:
    """Store what `fresh` finds, and return how many rows changed."""
    stale = _stale(embedder, using)
    for table in (Tag, Synonym):
        rows = [table(pk=key, embedding=_alone(embedder, words)) for owner, key, words, _ in stale if owner is table]
        with transaction.atomic(using):
            table._default_manager.using(using).bulk_update(rows, ["embedding"], batch_size=AT_ONCE)  # noqa: SLF001 - Django's documented name
    return len(stale)


def _stale(embedder: Embedder, using: str) -> list[Phrase]:
    phrases = _phrases(using)
    vectors = embedder.encode([words for _, _, words, _ in phrases])
    return [phrase for phrase, vector in zip(phrases, vectors, strict=True) if not _is(phrase[3], vector)]


def _phrases(using: str) -> list[Phrase]:
    tags = Tag.objects.using(using).values_list("pk", "name", "embedding")
    synonyms = Synonym.objects.using(using).values_list("pk", "phrase", "embedding")
    return [(Tag, key, nfc(words), vector) for key, words, vector in tags] + [(Synonym, key, nfc(words), vector) for key, words, vector in synonyms]


def _is(stored: list[float] | None, vector: Any) -> bool:
    return stored is not None and len(stored) == len(vector) and bool(np.abs(np.asarray(stored) - vector).max() <= TOLERANCE)


def _alone(embedder: Embedder, words: str) -> list[float]:
    return [round(float(part), VECTOR_DIGITS) for part in embedder.encode([words])[0]]
