"""How the demo's rows get into the live tables: through the models, again and again to the same end, and never over a row that is not the demo's."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Generic, TypeVar
from zlib import crc32

from django.db import models

from places.models import Curated

SOURCE = "demo"
LICENCE = "Apache-2.0"
CHECKED_WITHIN_DAYS = 120

Row = TypeVar("Row", bound=Curated)


class DemoRefused(Exception):
    """The demo town cannot be loaded here; the message says why and what to do. Nothing was written."""


@dataclass(slots=True)
class Tally:
    """How many rows of each kind are new, changed or the same."""

    rows: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, model: type[models.Model], outcome: str) -> None:
        kind = str(model._meta.verbose_name_plural)  # noqa: SLF001 - Django's documented name
        self.rows.setdefault(kind, Counter(new=0, changed=0, same=0))[outcome] += 1


def read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def dice(seed: int, slug: str, sides: int) -> int:
    """A number from 0 to `sides` - 1 that is always the same for a seed and a slug."""
    return crc32(f"{seed}:{slug}".encode()) % sides


def checked_on(today: date, seed: int, slug: str) -> date:
    """The day on which a curator would last have checked the row: some weeks before `today`, by the seed."""
    return today - timedelta(days=dice(seed, slug, CHECKED_WITHIN_DAYS))


def plain(model: type[models.Model], entry: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The fields of an entry by their own names; one that the entry leaves out has the model's default, so that it can be taken back."""
    return {name: entry.get(name, model._meta.get_field(name).get_default()) for name in names}  # noqa: SLF001 - Django's documented name


class Keeper(Generic[Row]):
    """Brings the rows of one curated model to what the data says, and counts what that took."""

    def __init__(self, model: type[Row], tally: Tally, *relations: str) -> None:
        """`relations` are read together with the rows: those that `keep` will be given."""
        self.model, self.tally = model, tally
        rows = model._default_manager.prefetch_related(*relations)  # noqa: SLF001 - Django's documented name
        self.rows: dict[str, Row] = {row.slug: row for row in rows}

    def keep(
        self,
        slug: str,
        values: Mapping[str, Any],
        tags: Iterable[models.Model] | None = None,
        parts: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    ) -> Row:
        """Make or mend the row with its tags and its `parts` (reverse relation → rows). A field that a curator has locked is left.

        Raises DemoRefused where the slug belongs to a row that is not the demo's, ValidationError where the data is at fault.
        """
        known = self.rows.get(slug)
        row = known or self.model(slug=slug, source=SOURCE, source_id=slug, licence=LICENCE)
        if row.source != SOURCE:
            raise DemoRefused(f"{self.model._meta.verbose_name} {slug!r} is not the demo's; rename it, or load the demo into an empty data folder")  # noqa: SLF001
        changed = self._save(row, {name: value for name, value in values.items() if name not in row.locked_fields})
        if tags is not None and "tags" not in row.locked_fields:
            changed |= _keep_tags(row, tags, fresh=known is None)
        for relation, wanted in (parts or {}).items():
            if relation not in row.locked_fields:
                changed |= _keep_parts(row, relation, wanted, fresh=known is None)
        self.tally.add(self.model, "new" if known is None else "changed" if changed else "same")
        return row

    def _save(self, row: Row, values: Mapping[str, Any]) -> bool:
        different = {name: value for name, value in values.items() if getattr(row, name) != value}
        if row.pk is not None and not different:
            return False
        for name, value in different.items():
            setattr(row, name, value)
        known = {one.name for one in row._meta.fields} - different.keys() if row.pk else set()  # noqa: SLF001 - Django's documented name
        row.full_clean(exclude=known, validate_constraints=False)  # the database holds its constraints itself, and 20 times as fast
        row.save()
        self.rows[row.slug] = row
        return True


def _keep_tags(row: Any, tags: Iterable[models.Model], *, fresh: bool) -> bool:
    """A `fresh` row, here and below, has none yet: nothing is read."""
    wanted = {tag.pk for tag in tags}
    if fresh:
        row.tags.add(*wanted)
        return True
    if {tag.pk for tag in row.tags.all()} == wanted:
        return False
    row.tags.set(wanted)
    return True


def _keep_parts(row: Any, relation: str, wanted: Sequence[Mapping[str, Any]], *, fresh: bool) -> bool:
    """The rows that belong to one row alone (names, scores, exceptions): all are made anew where any differs."""
    manager = getattr(row, relation)
    parts = [manager.model(**{manager.field.name: row}, **values) for values in wanted]
    columns = [one for one in manager.model._meta.concrete_fields if not one.primary_key]  # noqa: SLF001 - Django's documented name
    fields = [one.attname for one in columns]
    for part in parts:
        part.clean_fields(exclude={one.name for one in columns if one.is_relation})  # those come from the database itself
    if not fresh:
        if _as_set(parts, fields) == _as_set(manager.all(), fields):
            return False
        manager.all().delete()
    manager.bulk_create(parts)
    return True


def _as_set(parts: Iterable[models.Model], fields: Sequence[str]) -> set[tuple[Any, ...]]:
    return {tuple(getattr(part, name) for name in fields) for part in parts}
