"""The town's places as curators keep them: areas, tags, score kinds and the places themselves."""

import json
from collections.abc import Sequence

import shapely
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from pgvector.django import VectorField

from places import hours

EMBEDDING_WIDTH = 512


class Status(models.TextChoices):
    """How far a curated row has come; only `published` rows enter a snapshot."""

    DRAFT = "draft", "draft"
    IN_REVIEW = "in_review", "in review"
    PUBLISHED = "published", "published"
    WITHDRAWN = "withdrawn", "withdrawn"


class Curated(models.Model):
    """What every curated row carries: a stable public id, a status, who and when, where its facts came from, and its locks.

    `field_sources` holds {field: {"source", "licence", "checked_on"}} for the facts that differ from the row's own source.
    `locked_fields` are the names of the fields that a curator set: an import proposes them and never overwrites them.
    """

    slug = models.SlugField("public id", max_length=120, unique=True, help_text="Part of its web address; it stays as it is for good.")
    status = models.CharField(max_length=12, choices=Status, default=Status.IN_REVIEW, db_index=True)
    source = models.CharField(max_length=200, blank=True, help_text="Where the facts come from: a register, a web page, a visit.")
    source_id = models.CharField("id at the source", max_length=200, blank=True)
    licence = models.CharField(max_length=200, blank=True)
    checked_on = models.DateField(null=True, blank=True)
    field_sources = models.JSONField(
        "sources of single facts",
        default=dict,
        blank=True,
        help_text='Where they differ from the source above: {"phone": {"source": "own call", "licence": "", "checked_on": "2026-11-30"}}',
    )
    locked_fields = models.JSONField("locked facts", default=list, blank=True, help_text="An import leaves these as they are.")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.ForeignKey("auth.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+", editable=False)

    class Meta:
        abstract = True


def one_of(name: str, field: str, choices: type[models.TextChoices], *, blank: bool = False) -> models.CheckConstraint:
    """A field holds one of its choices; `choices` alone bind a form, not an import."""
    return models.CheckConstraint(condition=Q(**{f"{field}__in": [*choices.values, *([""] if blank else [])]}), name=name)


def filled(name: str, field: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=~Q(**{field: ""}), name=name)


def curated(prefix: str) -> list[models.BaseConstraint]:
    """What holds for every curated row; `prefix` makes the constraints' names unique. A source's id stands for one row, so that an import finds it again."""
    return [
        filled(f"{prefix}_public_id", "slug"),
        one_of(f"{prefix}_status", "status", Status),
        models.UniqueConstraint(fields=["source", "source_id"], condition=~Q(source_id=""), name=f"{prefix}_source_once"),
    ]


def on_earth(prefix: str) -> list[models.BaseConstraint]:
    """Both coordinates or none, in degrees; `prefix` makes the constraints' names unique."""
    return [
        models.CheckConstraint(
            condition=Q(lat__isnull=True, lng__isnull=True) | Q(lat__isnull=False, lng__isnull=False),
            name=f"{prefix}_point_whole",
            violation_error_message="Give both latitude and longitude, or neither.",
        ),
        models.CheckConstraint(
            condition=Q(lat__isnull=True) | Q(lat__gte=-90, lat__lte=90),
            name=f"{prefix}_lat_degrees",
            violation_error_message="A latitude lies between -90 and 90 degrees.",
        ),
        models.CheckConstraint(
            condition=Q(lng__isnull=True) | Q(lng__gte=-180, lng__lte=180),
            name=f"{prefix}_lng_degrees",
            violation_error_message="A longitude lies between -180 and 180 degrees.",
        ),
    ]


def outline_problem(outline: object) -> str | None:
    """Why a value cannot be an area's outline, a GeoJSON (RFC 7946) polygon or multipolygon; None where it can."""
    try:
        shape = shapely.from_geojson(json.dumps(outline))
    except shapely.errors.ShapelyError:
        return "This is no GeoJSON geometry."
    if shape.geom_type not in {"Polygon", "MultiPolygon"}:
        return f"An outline is a Polygon or a MultiPolygon; this is a {shape.geom_type}."
    west, south, east, north = shape.bounds or (181, 91, 181, 91)
    if not (-180 <= west <= east <= 180 and -90 <= south <= north <= 90):
        return "This is empty or off the Earth; GeoJSON has the longitude before the latitude."
    return None if shape.is_valid else f"The outline crosses itself or is not closed: {shapely.is_valid_reason(shape)}."


class Area(Curated):
    """A part of the town that people name: a quarter, a village, a harbour side. `outline` is a GeoJSON geometry, lng before lat."""

    name = models.CharField(max_length=200)
    lat = models.FloatField("latitude of its middle", null=True, blank=True)
    lng = models.FloatField("longitude of its middle", null=True, blank=True)
    outline = models.JSONField(null=True, blank=True, help_text="A GeoJSON geometry, longitude before latitude.")
    middle_only = models.BooleanField(
        "only its middle is known", default=False, help_text="A name on a map without a border: places near it are counted to it."
    )

    class Meta:
        ordering = ["name", "slug"]
        constraints = [filled("area_named", "name"), *curated("area"), *on_earth("area")]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if self.outline is not None and (complaint := outline_problem(self.outline)):
            raise ValidationError({"outline": complaint})


class AreaName(models.Model):
    """Another name of an area: in a language, or an old or short one."""

    area = models.ForeignKey(Area, on_delete=models.CASCADE, related_name="names")
    text = models.CharField(max_length=200)
    lang = models.CharField("language", max_length=12, blank=True, help_text="A code such as en or fr; empty if it is none's.")

    class Meta:
        verbose_name = "other name"
        ordering = ["area", "lang", "text"]
        constraints = [
            models.UniqueConstraint(fields=["area", "text", "lang"], name="area_name_once"),
            filled("area_name_not_empty", "text"),
        ]

    def __str__(self) -> str:
        return self.text


class TagKind(models.TextChoices):
    CATEGORY = "category", "category (what it is)"
    CUISINE = "cuisine", "cuisine (what it serves)"
    ATTRIBUTE = "attribute", "attribute (what it has)"
    TOPIC = "topic", "topic (what it is about)"


class Tag(models.Model):
    """A word that places and events are found by. Categories say what a thing is; the others say what it is like."""

    Kind = TagKind
    slug = models.SlugField("public id", max_length=80, unique=True)
    name = models.CharField(max_length=80, unique=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.ATTRIBUTE)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="children")
    embedding = VectorField(dimensions=EMBEDDING_WIDTH, null=True, blank=True, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            filled("tag_named", "name"),
            filled("tag_public_id", "slug"),
            one_of("tag_kind", "kind", TagKind),
            models.CheckConstraint(condition=~Q(parent=F("id")), name="tag_not_its_own_parent"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if self.pk and self.pk in self.line_of_parents():
            raise ValidationError({"parent": "This would make the tag a parent of itself."})

    def line_of_parents(self) -> Sequence[int]:
        """The ids of the parent, its parent and so on; a ring is gone round once."""
        line: list[int] = []
        parent = self.parent
        while parent is not None and parent.pk not in line:
            line.append(parent.pk)
            parent = parent.parent
        return line


class Synonym(models.Model):
    """Another word for a tag, as residents type it."""

    tag = models.ForeignKey(Tag, on_delete=models.CASCADE, related_name="synonyms")
    phrase = models.CharField(max_length=80)
    embedding = VectorField(dimensions=EMBEDDING_WIDTH, null=True, blank=True, editable=False)

    class Meta:
        ordering = ["tag", "phrase"]
        constraints = [
            models.UniqueConstraint(fields=["tag", "phrase"], name="synonym_once"),
            filled("synonym_not_empty", "phrase"),
        ]

    def __str__(self) -> str:
        return self.phrase


class ScoreKind(models.Model):
    """A quality that curators score, with the words that ask for it ("quietest; peaceful; calm")."""

    slug = models.SlugField("public id", max_length=40, unique=True)
    name = models.CharField(max_length=40, unique=True)
    words = models.TextField("words that ask for it", blank=True, help_text="With semicolons between them: quietest; peaceful; calm")

    class Meta:
        ordering = ["name"]
        constraints = [filled("score_kind_named", "name"), filled("score_kind_public_id", "slug")]

    def __str__(self) -> str:
        return self.name


class PlaceState(models.TextChoices):
    OPEN = "open", "open for business"
    CLOSED_FOR_NOW = "closed_for_now", "closed for now"
    CLOSED_FOR_GOOD = "closed_for_good", "closed for good"


class PriceLevel(models.TextChoices):
    FREE = "free", "free"
    CHEAP = "cheap", "cheap"
    MODERATE = "moderate", "moderate"
    EXPENSIVE = "expensive", "expensive"


class StepFree(models.TextChoices):
    YES = "yes", "step-free"
    LIMITED = "limited", "partly step-free"
    NO = "no", "not step-free"


class Place(Curated):
    """A place of the town."""

    State = PlaceState
    Price = PriceLevel
    Wheelchair = StepFree
    name = models.CharField(max_length=200)
    category = models.ForeignKey(Tag, null=True, blank=True, on_delete=models.PROTECT, related_name="+", limit_choices_to={"kind": "category"})
    tags = models.ManyToManyField(Tag, blank=True, related_name="places")
    area = models.ForeignKey(Area, null=True, blank=True, on_delete=models.PROTECT, related_name="places")
    lat = models.FloatField("latitude", null=True, blank=True)
    lng = models.FloatField("longitude", null=True, blank=True)
    description = models.TextField(blank=True)
    opening_hours = models.TextField(
        "opening hours", blank=True, help_text="As OpenStreetMap writes them: Mo-Fr 09:00-17:00; Sa 10:00-14:00; PH off. Empty: not known."
    )
    price = models.CharField(max_length=10, choices=Price, blank=True)
    wheelchair = models.CharField(max_length=8, choices=Wheelchair, blank=True)
    address = models.CharField(max_length=300, blank=True)
    postcode = models.CharField(max_length=20, blank=True)
    phone = models.CharField(max_length=100, blank=True)
    website = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=16, choices=State, default=State.OPEN)
    landmark = models.BooleanField("landmark", default=False, help_text="People find their way by it.")
    prominence = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(100)], help_text="How well known it is, 0 to 100.")

    class Meta:
        ordering = ["name", "slug"]
        constraints = [
            filled("place_named", "name"),
            models.CheckConstraint(
                condition=Q(lat__isnull=False) | Q(area__isnull=False),
                name="place_somewhere",
                violation_error_message="Say where it is: give a latitude and a longitude, or an area.",
            ),
            models.CheckConstraint(condition=Q(prominence__gte=0, prominence__lte=100), name="place_prominence_0_to_100"),
            one_of("place_price", "price", PriceLevel, blank=True),
            one_of("place_wheelchair", "wheelchair", StepFree, blank=True),
            one_of("place_state", "state", PlaceState),
            *curated("place"),
            *on_earth("place"),
        ]
        indexes = [models.Index(fields=["source", "source_id"], name="place_source")]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if complaint := hours.problem(self.opening_hours, settings.TOWN):
            raise ValidationError({"opening_hours": complaint})


class PlaceName(models.Model):
    """Another name of a place: in a language, or an old, short or official one."""

    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="names")
    text = models.CharField(max_length=200)
    lang = models.CharField("language", max_length=12, blank=True, help_text="A code such as en or fr; empty if it is none's.")

    class Meta:
        verbose_name = "other name"
        ordering = ["place", "lang", "text"]
        constraints = [
            models.UniqueConstraint(fields=["place", "text", "lang"], name="place_name_once"),
            filled("place_name_not_empty", "text"),
        ]

    def __str__(self) -> str:
        return self.text


class ScoreMethod(models.TextChoices):
    CURATOR = "curator", "a curator's judgement"
    SURVEY = "survey", "a survey"
    IMPORT = "import", "an import"


class Score(models.Model):
    """How good a place is at something, 0 to 10, why, and how that was found out."""

    Method = ScoreMethod
    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="scores")
    kind = models.ForeignKey(ScoreKind, on_delete=models.PROTECT, related_name="scores")
    value = models.DecimalField(max_digits=3, decimal_places=1, validators=[MinValueValidator(0), MaxValueValidator(10)])
    reason = models.CharField(max_length=300, blank=True)
    method = models.CharField(max_length=8, choices=Method, default=Method.CURATOR)

    class Meta:
        ordering = ["place", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["place", "kind"], name="score_once"),
            models.CheckConstraint(condition=Q(value__gte=0, value__lte=10), name="score_0_to_10"),
            one_of("score_method", "method", ScoreMethod),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"
