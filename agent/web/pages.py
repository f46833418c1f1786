"""The residents' pages. They work without JavaScript, load nothing from another host, and touch no table of the curators."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from agent.deps import Deps
from agent.errors import SnapshotUnavailable
from agent.harness import run
from agent.types import Query, Reply
from agent.web import wiring
from agent.web.cards import say_snapshot, show_parts, show_steps, show_strip
from agent.web.examples import examples
from audit.recorder import recorder

RETRY_S = 30  # about as long as a small town takes to publish
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

Clock = Callable[[], datetime]


def town_clock() -> datetime:
    return datetime.now(settings.TOWN.timezone)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, clock: Clock = town_clock) -> HttpResponse:
    """The ask page: `POST q=…` and `/?q=…` answer, `/?fill=…` puts a question into the box and waits.

    With no snapshot to answer from it is 503 with Retry-After, and what was typed stays in the box. A position is read from no address (R-13).
    """
    asked = _asked(request)
    shown = {"town": settings.TOWN, "limit": wiring.budget().query_chars, "text": request.GET.get("fill", "") if asked is None else asked}
    try:
        deps = wiring.deps(clock())
        shown |= _home(deps) if asked is None else _answer(asked, request.GET.get("snapshot", ""), deps)
    except SnapshotUnavailable:
        response = render(request, "agent/unavailable.html", shown, status=503)
        response["Retry-After"] = str(RETRY_S)
    else:
        response = render(request, "agent/ask.html", shown)
    response["Content-Security-Policy"] = POLICY
    return response


def _asked(request: HttpRequest) -> str | None:
    """What is asked, as it was typed; None where nothing is asked yet."""
    return request.POST.get("q", "") if request.method == "POST" else request.GET.get("q")


def _home(deps: Deps) -> dict[str, object]:
    manifest = deps.snapshot.manifest
    return {
        "examples": [(text, f"?{urlencode({'fill': text})}") for text in examples(deps.snapshot)],
        "snapshot": say_snapshot(manifest.number, manifest.published, deps.town.timezone),
    }


def _answer(text: str, shared_from: str, deps: Deps) -> dict[str, object]:
    reply = _reply(text, deps)
    if reply.refused:
        return _home(deps) | {"refusal": reply.parts[0].text}
    meta = reply.body["meta"]
    number = str(meta["snapshot"]["number"])
    return {
        "parts": show_parts(reply),
        "steps": show_steps(reply.body),
        "rounds": meta["rounds"],
        "strip": show_strip(meta, deps.town.timezone),
        "share": f"?{urlencode({'q': reply.body['query'], 'snapshot': number})}",
        "moved_on": shared_from.isdecimal() and shared_from != number,
    }


def _reply(text: str, deps: Deps) -> Reply:
    """The engine, drained: this page shows the whole answer at once."""
    query = Query(text)
    *_, reply = recorder().recorded(run(query, deps), query, deps, "web")
    assert isinstance(reply, Reply)  # noqa: S101 — a run ends with its reply
    return reply
