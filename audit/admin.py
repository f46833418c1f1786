"""The audit as curators may look at it: nothing in it can be added, changed or deleted."""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from audit.charts import charts
from audit.metrics import by_day, measure
from audit.models import Followup, Run, RunEvent

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class Looking:
    """For looking at, whoever asks: what happened is not to be rewritten."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class EventInline(Looking, admin.TabularInline):
    model = RunEvent
    fields = ("seq", "step", "round", "ms", "said")


class FollowupInline(Looking, admin.TabularInline):
    model = Followup
    fields = ("question", "slot", "options", "pick", "picked_by")


@admin.register(Run)
class RunAdmin(Looking, admin.ModelAdmin):
    """The runs, newest first, and the figures at `figures/`."""

    list_display = ("started", "query", "outcome", "ended", "rounds", "latency_ms", "cost", "snapshot", "door")
    list_filter = ("ended", "outcome", "door", "regenerated", "started")
    search_fields = ("=run", "=id", "query")
    date_hierarchy = "started"
    show_full_result_count = False
    inlines = (EventInline, FollowupInline)
    change_list_template = "admin/audit/run/change_list.html"

    def get_urls(self) -> list[URLPattern]:
        return [path("figures/", self.admin_site.admin_view(self.figures), name="audit_run_figures"), *super().get_urls()]

    def figures(self, request: HttpRequest) -> HttpResponse:
        """The charts, each with its table, for whoever may view runs."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        zone = settings.TOWN.timezone
        figures = measure(zone)
        shown = {**self.admin_site.each_context(request), "title": "How Small does", "figures": figures, "charts": charts(figures, by_day(zone))}
        response = TemplateResponse(request, "admin/audit/run/figures.html", {**shown, "opts": self.opts})
        response["Content-Security-Policy"] = POLICY
        return response
