"""Public ids out of names: stable once given, since an import never changes the id of a row that it knows."""

from collections.abc import Iterable

from django.utils.text import slugify

LONGEST = 100  # of the 120 characters that a public id has, so that a number fits behind


class Slugs:
    """Gives out ids that nobody has: "blue-bar", then "blue-bar-2"."""

    def __init__(self, taken: Iterable[str], otherwise: str) -> None:
        self._taken = set(taken)
        self._otherwise = otherwise
        self._last: dict[str, int] = {}

    def give(self, name: str) -> str:
        """An id for a name; a name without Latin letters gets the word that stands for its kind."""
        base = slugify(name)[:LONGEST].strip("-") or self._otherwise
        slug, number = base, self._last.get(base, 1)
        while slug in self._taken:
            number += 1
            slug = f"{base}-{number}"
        self._last[base] = number
        self._taken.add(slug)
        return slug
