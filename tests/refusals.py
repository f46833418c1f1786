"""How a database refuses a row: by which of a model's constraints."""

from collections.abc import Callable

from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import BaseConstraint, UniqueConstraint


def constraints(app: str) -> dict[str, BaseConstraint]:
    """The constraints of an app's models, by name."""
    return {rule.name: rule for model in apps.get_app_config(app).get_models() for rule in model._meta.constraints}


def refusal(save: Callable[[], object]) -> str:
    """What the database says to a row, with nothing of it kept; empty where it takes the row."""
    try:
        with transaction.atomic():
            save()
    except IntegrityError as error:
        return str(error)
    return ""


def speaks_of(rule: BaseConstraint) -> str:
    """What a refusal by this constraint holds: its name, or where SQLite leaves that out, the columns."""
    if connection.vendor == "sqlite" and isinstance(rule, UniqueConstraint):
        table = rule_table(rule)
        return ", ".join(f"{table._meta.db_table}.{table._meta.get_field(name).column}" for name in rule.fields)
    return rule.name


def rule_table(rule: BaseConstraint):
    return next(model for model in apps.get_models() if rule in model._meta.constraints)
