"""`replay`: a recorded run asked again."""

import json

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from agent.deps import Deps
from agent.errors import SnapshotUnavailable
from agent.web import wiring
from audit import replay
from audit.models import Run

IMPOSSIBLE = 2


class Command(BaseCommand):
    help = "Ask a recorded run again on its snapshot and compare rows and verdicts. Exit code 1 if they differ, 2 if it cannot be asked again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", help="the run's id, as its reply or the admin shows it")

    def handle(self, **options) -> None:
        run = self._find(options["run"])
        if why := replay.obstacles(run):
            raise impossible(run, why)
        deps = self._deps(run)
        found = replay.differences(run, deps)
        for one in found:
            self.stdout.write(f"step {one.seq}: recorded {json.dumps(one.recorded)}, now {json.dumps(one.replayed)}")
        if found:
            raise CommandError(f"run {run} differs in {len(found)} of its steps.")
        self.stdout.write(f"run {run}: the same rows and verdicts in all {run.events.count()} steps, on snapshot {run.snapshot}.")

    def _find(self, name: str) -> Run:
        try:
            run = replay.find(name)
        except DatabaseError as error:
            raise CommandError(f"the audit cannot be read: {error}") from error
        if run is None:
            raise CommandError(f"no run {name!r} is recorded; the admin lists those that are.")
        return run

    def _deps(self, run: Run) -> Deps:
        try:
            snapshot = wiring.store().open(run.snapshot)
        except SnapshotUnavailable as error:
            raise impossible(run, [str(error)]) from error
        deps = wiring.deps(replay.now_of(run, settings.TOWN.timezone), snapshot)
        if why := [one for one in (replay.wrong_snapshot(run, deps), replay.wrong_models(run, deps)) if one]:
            raise impossible(run, why)
        return deps


def impossible(run: Run, why: list[str]) -> CommandError:
    return CommandError(f"run {run} cannot be asked again: {'; '.join(why)}.", returncode=IMPOSSIBLE)
