"""What a server runs: `uvicorn asksmall.asgi:application`."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "asksmall.settings")
application = get_asgi_application()
