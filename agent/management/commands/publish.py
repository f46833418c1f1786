"""`manage.py publish`: what is published in the curated tables goes live as the next snapshot."""

import json
import time
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone
from tqdm import tqdm

from agent.errors import SnapshotRefused
from agent.management.publishing import Blocked, Published, publish
from agent.retrieval.embedder import default_embedder
from agent.snapshot import writer
from agent.snapshot.manifest import Manifest
from agent.snapshot.schema import PlaceRow

SHOWN = 20  # messages of one kind in the terminal; --json has them all

HELP = """Publish the town: build the next snapshot from every row whose status is "published", check it, and let it go live at once.

Readers keep the snapshot they have until the new one is whole. Nothing goes live while a blocker stands: no published place, a place without a
position and without a published area that has one, or an event whose dates cannot be worked out. Warnings are printed and published."""

EXAMPLES = """examples:
  manage.py publish                               publish what is there
  manage.py publish --check                       build and check it, change nothing
  manage.py publish --rollback                    go back to the snapshot before the live one
  manage.py publish --now 2026-12-04T18:30        as if it were then, in the town's time

docs/publishing.md says more."""


class Formatter(RawDescriptionHelpFormatter):
    """Keeps the lines of the description and of the examples."""


class Command(BaseCommand):
    help = HELP

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        return super().create_parser(prog_name, subcommand, formatter_class=Formatter, epilog=EXAMPLES, **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--check", action="store_true", help="only check: build the whole snapshot and throw it away")
        what.add_argument("--rollback", action="store_true", help="let the kept snapshot before the live one go live again")
        parser.add_argument(
            "--now", metavar="ISO", help="the instant to publish at, such as 2026-12-04T18:30; without an offset it is the town's time"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, check: bool, rollback: bool, now: str | None, json: bool, **options: Any) -> None:
        instant = read_instant(now)
        self.json = json
        try:
            if rollback:
                self.roll_back()
            else:
                self.publish(instant, check)
        except Blocked as blocked:
            self.tell_blocked(blocked)
        except SnapshotRefused as error:
            raise CommandError(f"{'Rollback' if rollback else 'Publish'} refused: {error}.") from error
        except DatabaseError as error:
            raise CommandError(f"The curated tables cannot be read ({error}). Run `manage.py migrate`, or look at DATABASE_URL.") from error

    def roll_back(self) -> None:
        number = writer.rollback(settings.SNAPSHOT_DIR)
        self.stdout.write(json.dumps({"rolled_back": True, "number": number}) if self.json else f"Snapshot {number} is live again.")

    def publish(self, now: datetime, check: bool) -> None:
        began = time.monotonic()
        done = publish(
            settings.SNAPSHOT_DIR, settings.TOWN, now, default_embedder(), kept=settings.SWITCHES.snapshots_kept, check=check, progress=self.progress
        )
        seconds = round(time.monotonic() - began, 2)
        if self.json:
            self.stdout.write(json.dumps(as_json(done, check, seconds), ensure_ascii=False))
        else:
            self.tell(done, check, seconds)

    def progress(self, rows: Iterable[PlaceRow], total: int) -> Iterable[PlaceRow]:
        """A bar on a terminal, nothing elsewhere."""
        return tqdm(rows, total=total, desc="places", unit=" places", disable=True if self.json else None, leave=False)

    def tell(self, done: Published, check: bool, seconds: float) -> None:
        self.tell_messages("warning", done.warnings)
        if done.embedded:
            self.stdout.write(f"{done.embedded} phrases {'want a new vector' if check else 'got a new vector'}.")
        manifest = done.manifest
        counts = ", ".join(f"{count} {table.replace('_', ' ')}" for table, count in manifest.counts.items())
        outcome = f"Nothing stands in the way of snapshot {manifest.number}" if check else f"Snapshot {manifest.number} is live"
        self.stdout.write(
            self.style.SUCCESS(f"{outcome}: {manifest.town}, as of {manifest.published.isoformat(timespec='seconds')}, in {seconds} s.")
        )
        self.stdout.write(f"Rows: {counts}.\nContent hash: {manifest.content_hash}")

    def tell_blocked(self, blocked: Blocked) -> None:
        if self.json:
            self.stdout.write(json.dumps({"published": False, "blockers": blocked.blockers, "warnings": blocked.warnings}, ensure_ascii=False))
        else:
            self.tell_messages("warning", blocked.warnings)
            self.tell_messages("blocker", blocked.blockers)
        raise CommandError(f"Publish refused, the live snapshot stays: {len(blocked.blockers)} blocker(s) to mend.")

    def tell_messages(self, kind: str, messages: list[str]) -> None:
        for message in messages[:SHOWN]:
            self.stderr.write(f"{kind}: {message}", style_func=lambda text: text)
        if len(messages) > SHOWN:
            self.stderr.write(f"{kind}: and {len(messages) - SHOWN} more; --json names them all", style_func=lambda text: text)


def read_instant(text: str | None) -> datetime:
    """`--now` as an aware instant in the town's zone; without it the clock. Raises CommandError."""
    if text is None:
        return timezone.localtime(timezone=settings.TOWN.timezone)
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"--now is {text!r}; it must be a date and time such as 2026-12-04T18:30 or 2026-12-04T18:30:00+00:00.") from error
    zone = settings.TOWN.timezone
    return instant.astimezone(zone) if instant.tzinfo else instant.replace(tzinfo=zone)


def as_json(done: Published, check: bool, seconds: float) -> dict[str, Any]:
    manifest: Manifest = done.manifest
    known = {key: value for key, value in asdict(manifest).items() if key in ("number", "content_hash", "town", "embedder", "counts", "hours_days")}
    return known | {
        "published": not check,
        "now": manifest.published.isoformat(),
        "hours_first": manifest.hours_first.isoformat(),
        "embedded": done.embedded,
        "warnings": done.warnings,
        "seconds": seconds,
    }
