from django.apps import AppConfig


class FestivalsConfig(AppConfig):
    name = "festivals"
    verbose_name = "festivals"
