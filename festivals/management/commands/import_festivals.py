"""`import_festivals`: events out of iCalendar, schedule.xml, JSON-LD or CSV."""

import json
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from festivals.importers.formats import KINDS
from festivals.importers.run import import_festivals
from places.importers.rows import ImportRefused
from places.models import Status


class Command(BaseCommand):
    help = (
        "Import festivals and events from iCalendar, schedule.xml (frab, pentabarf), JSON-LD or CSV. Prints what is new, changed, the same and refused, "
        "with the reason for each refused row. A file that cannot be taken as a whole changes nothing and ends with exit 1. docs/importing.md is the guide."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path, metavar="FILE", help="the file to import")
        parser.add_argument("--format", choices=KINDS, default="", help="the kind of file, where its first characters do not tell it")
        parser.add_argument("--festival", default="", metavar="NAME", help="the festival of all events that name none of their own")
        parser.add_argument(
            "--status",
            choices=[Status.IN_REVIEW.value, Status.PUBLISHED.value],
            default=Status.IN_REVIEW.value,
            help="published accepts the events at once; the default lets them wait for review",
        )
        parser.add_argument("--dry-run", action="store_true", help="report what would happen, and write nothing")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args, **options):
        try:
            report = import_festivals(
                options["file"],
                settings.TOWN,
                kind=options["format"],
                festival=options["festival"],
                status=options["status"],
                dry_run=options["dry_run"],
            )
        except ImportRefused as error:
            raise CommandError(f"{options['file'].name} was not imported: {error}.", returncode=1) from error
        self.stdout.write(json.dumps(report.as_json(), ensure_ascii=False) if options["json"] else report.as_text())
