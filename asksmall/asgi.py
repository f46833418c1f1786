"""What a server runs: `uvicorn asksmall.asgi:application`."""

import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "asksmall.settings")
# whitenoise hands static files over as a synchronous iterator; they are small, and Django reads them whole.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
application = get_asgi_application()
