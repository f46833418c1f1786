"""What an import of events did. The rows are counted as for places."""

from dataclasses import dataclass, field
from typing import Any

from places.importers.report import Report


@dataclass(slots=True)
class EventReport(Report):
    """Each event of the file counts once: new, changed, same or refused; an event counts with its changed dates."""

    festivals_made: list[str] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return Report.as_json(self) | {"festivals_made": self.festivals_made, "duplicates": self.duplicates}

    def as_text(self) -> str:
        lines = [f"Festival '{name}' was not known and was made." for name in self.festivals_made]
        lines += ["Duplicates:", *(f"  {entry}" for entry in self.duplicates)] if self.duplicates else []
        return "\n".join([Report.as_text(self), *lines])
