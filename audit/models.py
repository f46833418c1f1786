"""What is kept of a run: `runs`, `run_events`, `followups`, in a database of their own (A-51, A-53).

No column holds a position, a distance, words of a model, or anything that names a resident. `docs/audit.md` has the list.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Ended(models.TextChoices):
    """How a run came to its end; empty while it goes on."""

    RUNNING = "", _("running")
    OK = "ok", _("ok")
    REFUSED = "refused", _("refused")
    ABORTED = "aborted", _("aborted")
    LOST = "lost", _("lost")
    ERROR = "error", _("error")


class Run(models.Model):
    """One run of the engine. The row is written when it starts, and filled in when it ends."""

    id = models.CharField(primary_key=True, max_length=32, help_text="The audit's own id, given before the run starts.")
    run = models.CharField(max_length=32, blank=True, db_index=True, help_text="The id that the reply carried.")
    echo = models.CharField(max_length=64, blank=True, db_index=True, help_text="The digest that names the follow-up it asked.")
    resumes = models.CharField(max_length=64, blank=True, db_index=True, help_text="The digest of the follow-up that it goes on with.")
    door = models.CharField(max_length=16, help_text="Where it was asked: web, terminal.")
    process = models.CharField(max_length=160, help_text="The process that ran it, so that a dead one is known.")
    query = models.TextField(blank=True, help_text="What was asked, personal data masked; empty after the days of keeping.")
    masked = models.JSONField(default=list, blank=True, help_text="The kinds of personal data that were masked.")
    blanked = models.BooleanField(default=False)
    lang = models.CharField(max_length=8, blank=True)
    located = models.BooleanField(default=False, help_text="Whether a location was given. The location itself is kept nowhere.")
    now = models.DateTimeField(help_text="The instant that the run took for now.")
    snapshot = models.PositiveIntegerField()
    snapshot_hash = models.CharField(max_length=80, blank=True)
    resolver = models.CharField(max_length=80)
    finalizer = models.CharField(max_length=80)
    started = models.DateTimeField(db_index=True)
    finished = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=16, blank=True)
    ended = models.CharField(max_length=16, blank=True, choices=Ended.choices, default=Ended.RUNNING, db_index=True)
    refused = models.CharField(max_length=20, blank=True)
    error = models.CharField(max_length=80, blank=True, help_text="The kind of the exception, without its words.")
    rounds = models.PositiveSmallIntegerField(default=0)
    model_calls = models.PositiveSmallIntegerField(default=0)
    parts = models.PositiveSmallIntegerField(default=0)
    unknown_parts = models.PositiveSmallIntegerField(default=0)
    asked_back = models.PositiveSmallIntegerField(default=0, help_text="How many follow-ups it asked.")
    regenerated = models.BooleanField(default=False)
    degraded = models.BooleanField(default=False)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    first_token_ms = models.PositiveIntegerField(null=True, blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    cost = models.FloatField(null=True, blank=True, help_text="Empty is not known.")

    class Meta:
        ordering = ["-started", "id"]

    def __str__(self) -> str:
        return self.run or self.id


class RunEvent(models.Model):
    """One step of a run: what the engine said of it, cut down to counts, known words and public ids.

    An event of no run, with the step `unwritten`, counts what a process could not write.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="events", db_constraint=False)  # its start may come later
    seq = models.PositiveIntegerField()
    step = models.CharField(max_length=20)
    round = models.PositiveSmallIntegerField(default=0)
    ms = models.PositiveIntegerField(help_text="Milliseconds since the run started, by a clock that only goes forward.")
    said = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["run_id", "seq"]
        constraints = [models.UniqueConstraint("run", "seq", name="run_event_once")]

    def __str__(self) -> str:
        return f"{self.seq} {self.step}"


class Followup(models.Model):
    """One question that Small asked back, and the option that was taken."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="asked", db_constraint=False)
    question = models.PositiveSmallIntegerField()
    slot = models.CharField(max_length=16)
    options = models.JSONField(default=list, blank=True, help_text="The public ids that were offered.")
    pick = models.CharField(max_length=160, blank=True, help_text="The public id that was taken; “said” where words were typed.")
    picked_by = models.CharField(max_length=32, blank=True, help_text="The run that resumed with it.")

    class Meta:
        ordering = ["run_id", "question"]
        constraints = [models.UniqueConstraint("run", "question", name="followup_once")]

    def __str__(self) -> str:
        return f"{self.question} {self.slot}"
