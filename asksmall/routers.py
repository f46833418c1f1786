"""Which tables live in which database: the audit in `system`, everything else in `default`."""

from typing import Any

from django.db.models import Model

AUDIT = "audit"
SYSTEM = "system"


class AuditRouter:
    """Sends the audit's rows to `system` and keeps all others out of it (A-51)."""

    def db_for_read(self, model: type[Model], **_hints: Any) -> str | None:
        return SYSTEM if model._meta.app_label == AUDIT else None  # noqa: SLF001 - documented

    db_for_write = db_for_read

    def allow_migrate(self, db: str, app_label: str, **_hints: Any) -> bool:
        return (app_label == AUDIT) == (db == SYSTEM)
