"""The admin's own words."""

from django.contrib import admin

admin.site.site_header = "Ask Small"
admin.site.site_title = "Ask Small"
admin.site.index_title = "What the town knows"
