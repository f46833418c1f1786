"""The site map."""

from django.contrib import admin
from django.urls import path

from agent.web import pages
from asksmall.health import healthz, readyz

urlpatterns = [
    path("", pages.ask, name="ask"),
    path("admin/", admin.site.urls),
    path("healthz", healthz),
    path("readyz", readyz),
]
