"""The places as curators edit them in the stock admin."""

import json
from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import models
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.timezone import localtime
from django.utils.translation import ngettext

from places.models import Area, AreaName, Curated, Place, PlaceName, Score, ScoreKind, Status, Synonym, Tag

BOOKKEEPING = ("slug", "source", "source_id", "licence", "checked_on", "field_sources", "locked_fields")
PROVENANCE = (
    "Where the facts are from",
    {"classes": ["collapse"], "fields": [("source", "source_id"), ("licence", "checked_on"), "field_sources", "locked_fields"]},
)
RECORD = ("Record", {"fields": [("created_at", "updated_at", "updated_by")]})


class JSONBox(forms.JSONField):
    """JSON to be read by people: set out over lines, and nothing where there is nothing."""

    def prepare_value(self, value: Any) -> str:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2) if value else ""


class CuratedForm(forms.ModelForm):
    """A curated row's form; the locked facts are boxes to tick, named as importers name them."""

    locked_fields = forms.MultipleChoiceField(
        label="Locked facts", required=False, widget=forms.CheckboxSelectMultiple, help_text="An import leaves these as they are."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = [name for name in self.fields if name not in BOOKKEEPING]
        parts = [relation.name for relation in self.instance._meta.related_objects if not issubclass(relation.related_model, Curated)]  # noqa: SLF001 - documented
        facts = dict.fromkeys([*own, *parts, *self.instance.locked_fields])
        self.fields["locked_fields"].choices = [(fact, fact.replace("_", " ")) for fact in facts]

    def clean_field_sources(self) -> dict[str, dict[str, str]]:
        sources = self.cleaned_data["field_sources"] or {}
        if not isinstance(sources, dict) or not all(isinstance(source, dict) for source in sources.values()):
            raise forms.ValidationError('Write the fact first and then its source, as in {"phone": {"source": "own call"}}.')
        return sources


class CuratedAdmin(admin.ModelAdmin):
    """What the admins of all curated rows share: who edited, which facts are now the curator's, publish and withdraw."""

    form = CuratedForm
    readonly_fields = ["created_at", "updated_at", "updated_by"]
    formfield_overrides = {
        models.TextField: {"widget": forms.Textarea(attrs={"rows": 3, "cols": 80})},
        models.JSONField: {"form_class": JSONBox, "widget": forms.Textarea(attrs={"rows": 3, "cols": 80})},
    }
    actions = ["publish", "withdraw"]
    list_per_page = 50
    save_on_top = True

    def save_model(self, request: HttpRequest, obj: Curated, form: forms.ModelForm, change: bool) -> None:
        obj.updated_by = request.user
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: forms.ModelForm, formsets: Iterable[forms.BaseInlineFormSet], change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if change:
            lock(form.instance, [*form.changed_data, *(rows.fk.remote_field.name for rows in formsets if rows.has_changed())])

    @admin.display(description="changed", ordering="updated_at")
    def changed(self, row: Curated) -> str:
        return f"{localtime(row.updated_at):%d %b %Y}"

    @admin.action(description="Publish the selected rows", permissions=["change"])
    def publish(self, request: HttpRequest, queryset: QuerySet) -> None:
        self._move(request, queryset, Status.PUBLISHED)

    @admin.action(description="Withdraw the selected rows", permissions=["change"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet) -> None:
        self._move(request, queryset, Status.WITHDRAWN)

    def _move(self, request: HttpRequest, queryset: QuerySet, status: Status) -> None:
        moved = list(queryset.exclude(status=status))
        for row in moved:
            row.status, row.updated_by = status, request.user
            row.save(update_fields=["status", "updated_by", "updated_at"])
            self.log_change(request, row, [{"changed": {"fields": ["status"]}}])
        said = ngettext("%d row is now %s.", "%d rows are now %s.", len(moved)) % (len(moved), status.label)
        self.message_user(request, said, messages.SUCCESS)


def lock(row: Curated, changed: Iterable[str]) -> None:
    """A fact that a curator has changed is the curator's from now on."""
    facts = set(changed) - set(BOOKKEEPING)
    if not facts <= set(row.locked_fields):
        row.locked_fields = sorted({*row.locked_fields, *facts})
        row.save(update_fields=["locked_fields"])


def counted(model: type[models.Model], owner: str) -> Coalesce:
    """How many rows of `model` belong to each row, as a sub-query: a join would count for every row, also where a page shows twenty."""
    rows = model._default_manager.filter(**{owner: OuterRef("pk")}).order_by().values(owner)  # noqa: SLF001 - Django's documented name
    return Coalesce(Subquery(rows.annotate(rows=Count("pk")).values("rows")), 0)


class NameInline(admin.TabularInline):
    extra = 1
    classes = ["collapse"]


class AreaNameInline(NameInline):
    model = AreaName


class PlaceNameInline(NameInline):
    model = PlaceName


class ScoreInline(admin.TabularInline):
    model = Score
    extra = 1
    fields = ["kind", "value", "reason", "method"]


class SynonymInline(admin.TabularInline):
    model = Synonym
    extra = 3


@admin.register(Area)
class AreaAdmin(CuratedAdmin):
    list_display = ["name", "slug", "status", "place_count", "changed"]
    list_filter = ["status"]
    search_fields = ["name", "slug", "names__text"]
    prepopulated_fields = {"slug": ["name"]}
    inlines = [AreaNameInline]
    fieldsets = [
        (None, {"fields": [("name", "slug"), "status"]}),
        ("Where", {"fields": [("lat", "lng"), "middle_only", "outline"]}),
        PROVENANCE,
        RECORD,
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Area]:
        return super().get_queryset(request).annotate(place_count=counted(Place, "area"))

    @admin.display(description="places", ordering="place_count")
    def place_count(self, area: Area) -> int:
        return area.place_count


@admin.register(Tag)
class TagAdmin(admin.ModelAdmin):
    list_display = ["name", "kind", "parent", "synonym_list", "place_count"]
    list_filter = ["kind"]
    list_select_related = ["parent"]
    search_fields = ["name", "slug", "synonyms__phrase"]
    prepopulated_fields = {"slug": ["name"]}
    autocomplete_fields = ["parent"]
    inlines = [SynonymInline]
    fieldsets = [(None, {"fields": [("name", "slug"), "kind", "parent"]})]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tag]:
        """Without the vectors, which nobody reads here."""
        everything = super().get_queryset(request).defer("embedding", "parent__embedding")
        return everything.prefetch_related("synonyms").annotate(place_count=counted(Place.tags.through, "tag"))

    @admin.display(description="synonyms")
    def synonym_list(self, tag: Tag) -> str:
        return ", ".join(synonym.phrase for synonym in tag.synonyms.all())

    @admin.display(description="places", ordering="place_count")
    def place_count(self, tag: Tag) -> int:
        return tag.place_count


@admin.register(ScoreKind)
class ScoreKindAdmin(admin.ModelAdmin):
    list_display = ["name", "slug", "words"]
    search_fields = ["name", "slug", "words"]
    prepopulated_fields = {"slug": ["name"]}
    fields = [("name", "slug"), "words"]
    formfield_overrides = CuratedAdmin.formfield_overrides


@admin.register(Place)
class PlaceAdmin(CuratedAdmin):
    list_display = ["name", "category", "area", "status", "state", "changed"]
    list_filter = ["status", "state", "landmark", "price", "wheelchair", ("area", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["category", "area"]
    search_fields = ["name", "slug", "names__text", "address"]
    prepopulated_fields = {"slug": ["name"]}
    autocomplete_fields = ["category", "tags", "area"]
    inlines = [PlaceNameInline, ScoreInline]
    fieldsets = [
        (None, {"fields": [("name", "slug"), "status", "category", "tags", "description"]}),
        ("Where", {"fields": ["area", ("lat", "lng"), ("address", "postcode"), ("landmark", "prominence")]}),
        ("Visiting", {"fields": ["state", "opening_hours", ("price", "wheelchair"), ("phone", "website")]}),
        PROVENANCE,
        RECORD,
    ]
