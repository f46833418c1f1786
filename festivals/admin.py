"""The festivals and events as curators edit them in the stock admin."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.timezone import localtime

from festivals.models import Event, EventException, Festival, FestivalName
from places.admin import PROVENANCE, RECORD, CuratedAdmin, NameInline, counted


class FestivalNameInline(NameInline):
    model = FestivalName


class EventExceptionInline(admin.StackedInline):
    model = EventException
    extra = 0
    fields = [("kind", "original"), ("starts", "ends"), ("venue", "note")]


@admin.register(Festival)
class FestivalAdmin(CuratedAdmin):
    list_display = ["name", "area", "status", "state", "programme", "changed"]
    list_filter = ["status", "state", ("area", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["area"]
    search_fields = ["name", "slug", "names__text", "organiser"]
    prepopulated_fields = {"slug": ["name"]}
    autocomplete_fields = ["area", "tags"]
    inlines = [FestivalNameInline]
    fieldsets = [
        (None, {"fields": [("name", "slug"), ("status", "state"), "marks", "description", "tags"]}),
        ("Visiting", {"fields": ["area", "organiser", "tickets", "website"]}),
        PROVENANCE,
        RECORD,
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Festival]:
        return super().get_queryset(request).annotate(event_count=counted(Event, "festival"))

    @admin.display(description="events", ordering="event_count")
    def programme(self, festival: Festival) -> str:
        events = reverse("admin:festivals_event_changelist")
        return format_html('<a href="{}?festival__id__exact={}">{}</a>', events, festival.pk, festival.event_count)


@admin.register(Event)
class EventAdmin(CuratedAdmin):
    list_display = ["title", "begins", "recurs", "festival", "where", "status", "state"]
    list_filter = ["status", "state", "all_day", ("festival", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["festival", "place"]
    date_hierarchy = "starts"
    search_fields = ["title", "slug", "venue", "place__name", "festival__name"]
    prepopulated_fields = {"slug": ["title"]}
    autocomplete_fields = ["festival", "place", "tags"]
    inlines = [EventExceptionInline]
    fieldsets = [
        (None, {"fields": [("title", "slug"), ("status", "state"), "festival", "description", "tags"]}),
        ("When", {"fields": ["starts", "ends", "all_day", "rrule", "rule_zone"]}),
        ("Where", {"fields": ["place", "venue", ("lat", "lng")]}),
        ("Visiting", {"fields": [("price", "age"), "access", "website"]}),
        PROVENANCE,
        RECORD,
    ]

    @admin.display(description="starts", ordering="starts")
    def begins(self, event: Event) -> str:
        return f"{localtime(event.starts):{'%a %d %b %Y' if event.all_day else '%a %d %b %Y %H:%M'}}"

    @admin.display(description="recurs", ordering="rrule")
    def recurs(self, event: Event) -> str:
        return "yes" if event.rrule else ""

    @admin.display(description="where", ordering="place__name")
    def where(self, event: Event) -> str:
        return str(event.place or event.venue or "-")
