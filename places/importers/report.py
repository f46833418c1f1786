"""What an import did, for a person and for a program."""

from dataclasses import dataclass, field
from typing import Any

from places.importers.rows import Refusal

SHOWN = 50  # lines of each list in the text for a person; the JSON has them all


@dataclass(slots=True)
class Report:
    """Each row of the file counts once: new, changed, same or refused."""

    file: str
    dry_run: bool = False
    new: int = 0
    changed: int = 0
    same: int = 0
    refusals: list[Refusal] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    columns_left: tuple[str, ...] = ()
    areas_made: list[str] = field(default_factory=list)

    @property
    def refused(self) -> int:
        return len(self.refusals)

    def as_json(self) -> dict[str, Any]:
        return {
            "file": self.file, "dry_run": self.dry_run, "new": self.new, "changed": self.changed, "same": self.same, "refused": self.refused,
            "rows_refused": [{"where": row.where, "id": row.id, "reason": row.reason} for row in self.refusals],
            "kept": self.kept, "notes": self.notes, "columns_left": list(self.columns_left), "areas_made": self.areas_made,
        }  # fmt: skip

    def as_text(self) -> str:
        title = f"{self.file}: {self.new} new, {self.changed} changed, {self.same} same, {self.refused} refused"
        lines = [title + (" (dry run: nothing was written)" if self.dry_run else "")]
        lines += [f"Column '{name}' is not known and was left." for name in self.columns_left]
        lines += [f"Area '{name}' was not known and was made, at the middle of its places." for name in self.areas_made]
        lines += _list("Refused:", [f"{row.where}{f' ({row.id})' if row.id else ''}: {row.reason}" for row in self.refusals])
        lines += _list("Kept as a curator set it:", self.kept)
        return "\n".join(lines + _list("Noted:", self.notes))


def _list(title: str, entries: list[str]) -> list[str]:
    more = [f"  … and {len(entries) - SHOWN} more; --json lists them all"] if len(entries) > SHOWN else []
    return [title, *(f"  {entry}" for entry in entries[:SHOWN]), *more] if entries else []
