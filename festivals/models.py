"""The town's festivals and events as curators keep them. An event is an RFC 5545 rule in the town's time zone with its exceptions."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import localtime

from festivals.recurrence import Planned, RuleRefused, occurrences
from places.models import Area, Curated, Place, Tag, curated, filled, on_earth, one_of


class State(models.TextChoices):
    SCHEDULED = "scheduled", "scheduled"
    CANCELLED = "cancelled", "cancelled"
    POSTPONED = "postponed", "postponed"


class Festival(Curated):
    """A festival: what it marks, and what a visitor asks about it. Its dates are those of its events."""

    name = models.CharField(max_length=200)
    marks = models.CharField("what it marks", max_length=300, blank=True)
    description = models.TextField(blank=True)
    organiser = models.CharField(max_length=200, blank=True)
    tickets = models.CharField(max_length=300, blank=True)
    website = models.CharField(max_length=500, blank=True)
    area = models.ForeignKey(Area, null=True, blank=True, on_delete=models.PROTECT, related_name="festivals")
    tags = models.ManyToManyField(Tag, blank=True, related_name="festivals")
    state = models.CharField(max_length=10, choices=State, default=State.SCHEDULED)

    class Meta:
        ordering = ["name", "slug"]
        constraints = [filled("festival_named", "name"), one_of("festival_state", "state", State), *curated("festival")]

    def __str__(self) -> str:
        return self.name


class FestivalName(models.Model):
    """Another name of a festival, in a language or as people say it."""

    festival = models.ForeignKey(Festival, on_delete=models.CASCADE, related_name="names")
    text = models.CharField(max_length=200)
    lang = models.CharField("language", max_length=12, blank=True, help_text="A code such as en or fr; empty if it is none's.")

    class Meta:
        verbose_name = "other name"
        ordering = ["festival", "lang", "text"]
        constraints = [
            models.UniqueConstraint(fields=["festival", "text", "lang"], name="festival_name_once"),
            filled("festival_name_not_empty", "text"),
        ]

    def __str__(self) -> str:
        return self.text


class Event(Curated):
    """An event, once or by a rule. An all-day event starts at midnight and ends at the midnight after its last day."""

    festival = models.ForeignKey(Festival, null=True, blank=True, on_delete=models.CASCADE, related_name="events")
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    starts = models.DateTimeField()
    ends = models.DateTimeField(null=True, blank=True)
    all_day = models.BooleanField(default=False, help_text="From midnight to the midnight after its last day.")
    rrule = models.TextField(
        "rule", blank=True, help_text="When it comes again, as RFC 5545 writes it: FREQ=WEEKLY;BYDAY=FR is every Friday. Empty: it happens once."
    )
    rule_zone = models.CharField(
        "time zone of the rule", max_length=64, blank=True, help_text="Such as Europe/Paris, where an imported rule follows clocks of another zone."
    )
    place = models.ForeignKey(Place, null=True, blank=True, on_delete=models.PROTECT, related_name="events")
    venue = models.CharField(max_length=200, blank=True, help_text="Where it is none of the places.")
    lat = models.FloatField("latitude", null=True, blank=True)
    lng = models.FloatField("longitude", null=True, blank=True)
    tags = models.ManyToManyField(Tag, blank=True, related_name="events")
    price = models.CharField(max_length=100, blank=True)
    age = models.CharField("for what age", max_length=100, blank=True)
    access = models.CharField(max_length=200, blank=True, help_text="For a wheelchair, a pram, a guide dog.")
    website = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.SCHEDULED)

    class Meta:
        ordering = ["starts", "slug"]
        constraints = [
            filled("event_titled", "title"),
            models.CheckConstraint(
                condition=Q(ends__isnull=True) | Q(ends__gte=F("starts")),
                name="event_ends_after_start",
                violation_error_message="It ends before it starts.",
            ),
            one_of("event_state", "state", State),
            *curated("event"),
            *on_earth("event"),
        ]
        indexes = [models.Index(fields=["source", "source_id"], name="event_source")]

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        """Follow the rule once, as publishing will. Raises ValidationError for one that cannot be followed or gives no date."""
        if not (self.rrule and self.starts):
            return
        planned = Planned(self.starts, self.ends, self.all_day, self.rrule, zone=self.rule_zone)
        try:
            dates = occurrences(planned, settings.TOWN.timezone, self.starts)
        except RuleRefused as error:
            raise ValidationError({"rrule": f"{error}."}) from error
        if not dates:
            raise ValidationError({"rrule": "This rule gives no date: look at its end (UNTIL)."})


class ExceptionKind(models.TextChoices):
    CANCELLED = "cancelled", "cancelled"
    POSTPONED = "postponed", "postponed"
    MOVED = "moved", "moved"
    ADDED = "added", "added"
    REMOVED = "removed", "removed from the rule (EXDATE)"


class EventException(models.Model):
    """One date of an event that differs from its rule. `original` is the rule's start; an added date has none."""

    Kind = ExceptionKind
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="exceptions")
    kind = models.CharField(max_length=10, choices=Kind)
    original = models.DateTimeField("date of the rule", null=True, blank=True, help_text="Empty for an added date.")
    starts = models.DateTimeField(null=True, blank=True)
    ends = models.DateTimeField(null=True, blank=True)
    venue = models.CharField(max_length=200, blank=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = "exception"
        ordering = ["event", "original", "starts"]
        constraints = [
            one_of("exception_kind", "kind", ExceptionKind),
            models.CheckConstraint(
                condition=Q(kind="added", original__isnull=True) | ~Q(kind="added") & Q(original__isnull=False),
                name="exception_names_its_date",
                violation_error_message="Name the date of the rule that differs; an added date has none.",
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["moved", "added"]) | Q(starts__isnull=False),
                name="exception_has_its_start",
                violation_error_message="A moved or added date needs its new start.",
            ),
            models.CheckConstraint(
                condition=Q(ends__isnull=True) | Q(starts__isnull=True) | Q(ends__gte=F("starts")),
                name="exception_ends_after_start",
                violation_error_message="It ends before it starts.",
            ),
            models.UniqueConstraint(fields=["event", "original"], name="exception_once"),
            models.UniqueConstraint(fields=["event", "starts"], condition=Q(kind="added"), name="exception_added_once"),
        ]

    def __str__(self) -> str:
        date = self.original or self.starts
        return f"{self.kind} {localtime(date):%d %b %Y %H:%M}" if date else self.kind
