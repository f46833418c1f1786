"""`manage.py load_demo`: the invented town of Lindenmere, for trying the product out."""

from datetime import datetime

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from festivals.demo.load import load_festivals
from festivals.models import Event, Festival
from places.demo.keep import SOURCE, DemoRefused, Tally
from places.demo.load import load_places
from places.models import Area, Place, Status


class Command(BaseCommand):
    help = (
        "Load the demo town: Lindenmere, invented, with its places, festivals and events. The events stand around --now, so load it again to move "
        "them. Loading twice with the same --now and --seed changes nothing. Rows that are not the demo's are never touched."
    )

    def add_arguments(self, parser):
        parser.add_argument(
            "--now", metavar="ISO", help="the instant around which events stand, in the town's time unless it has an offset; default: the clock"
        )
        parser.add_argument(
            "--seed", type=int, default=1, metavar="N", help="by how many weeks the far festivals move, and when rows were last checked; default: 1"
        )
        parser.add_argument("--beside", action="store_true", help="load it although this install has a published town of its own")

    def handle(self, *, now, seed, beside, **options):
        instant = read_now(now) if now else timezone.now()
        if not beside:
            refuse_beside_a_town()
        tally = Tally()
        try:
            with transaction.atomic():
                load_places(instant.astimezone(settings.TOWN.timezone).date(), seed, tally)
                load_festivals(instant, settings.TOWN.timezone, seed, tally)
        except DemoRefused as error:
            raise CommandError(str(error)) from error
        for kind, counts in tally.rows.items():
            self.stdout.write(f"{kind:12} {counts['new']:4} new {counts['changed']:4} changed {counts['same']:4} same")


def read_now(text: str) -> datetime:
    """An ISO instant; without an offset it is the town's time. Raises CommandError."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"--now {text!r} is no ISO date and time; one looks like 2026-12-04T18:30") from error
    return instant if instant.tzinfo else instant.replace(tzinfo=settings.TOWN.timezone)


def refuse_beside_a_town() -> None:
    """Raises CommandError where published rows are there that are not the demo's."""
    for model in (Place, Area, Festival, Event):
        others = model.objects.filter(status=Status.PUBLISHED).exclude(source=SOURCE).count()
        if others:
            kind = model._meta.verbose_name_plural  # noqa: SLF001 - Django's documented name
            raise CommandError(
                f"This install has a town of its own ({others} published {kind}). "
                "Set ASKSMALL_DATA_DIR to an empty folder for the demo, or say --beside to load it beside them."
            )
