from django.apps import AppConfig


class AsksmallConfig(AppConfig):
    name = "asksmall"
    verbose_name = "the site as a whole"
