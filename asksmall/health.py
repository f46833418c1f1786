"""The two questions that whoever runs the site may ask it: is it alive, and can it answer?"""

from django.db import Error, connections
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from agent.errors import SnapshotUnavailable
from agent.web.wiring import store
from audit.recorder import recorder


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers at all. It looks at nothing else, so a restart is what mends a failure."""
    return JsonResponse({"status": "alive"})


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> JsonResponse:
    """200 with the number of the snapshot that is served, else 503 with what to do.

    `problem` may be set on a 200 too: a newer snapshot was refused, and the old one stays; or runs cannot be recorded (A-55). The curated database
    is reported, not needed (FP1).
    """
    body: dict[str, object] = {"status": "ready", "snapshot": None, "problem": "", "database": database_state()}
    try:
        manifest = store().handle().manifest
    except SnapshotUnavailable as error:
        return JsonResponse(body | {"status": "not ready", "problem": str(error)}, status=503)
    served = {"number": manifest.number, "published": manifest.published.isoformat()}
    return JsonResponse(body | {"snapshot": served, "problem": "; ".join(filter(None, (store().problem, recorder().problem)))})


def database_state() -> str:
    try:
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return "unreachable"
    return "reachable"
