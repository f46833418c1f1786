"""The residents' pages. They work without JavaScript, load nothing from another host, and touch no table of the curators."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from agent.deps import Deps
from agent.errors import SnapshotUnavailable
from agent.harness import run
from agent.types import Event, Pick, Query, Reply, Resume
from agent.web import wiring
from agent.web.cards import say_snapshot, show_parts, show_steps, show_strip
from agent.web.examples import examples
from audit.recorder import recorder

RETRY_S = 30  # about as long as a small town takes to publish
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

MOVED_ON = "The town has published new facts since this link was made, so the answer may differ."
REST = "This is what was still open. Small answered the rest of your question before; to see that again, press Ask."
ANEW = "{why}, so Small asked your whole question again."
LATE = {"expired": "Your answer came later than ten minutes after", "snapshot": "The town has published new facts in between"}
NOT_TAKEN = "Your answer could not be taken up"

Clock = Callable[[], datetime]


def town_clock() -> datetime:
    return datetime.now(settings.TOWN.timezone)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, clock: Clock = town_clock) -> HttpResponse:
    """The ask page: `POST q=…` and `/?q=…` answer, `/?fill=…` puts a question into the box and waits; `POST q=…&echo=…&pick-1=…` answers what was
    asked back.

    With no snapshot to answer from it is 503 with Retry-After, and what was typed stays in the box. A position is read from no address (R-13).
    """
    asked, resumed, now = _asked(request), _resumed(request), clock()
    shown = {
        "town": settings.TOWN,
        "limit": wiring.budget().query_chars,
        "say_limit": wiring.budget().say_chars,
        "text": request.GET.get("fill", "") if asked is None else asked,
    }
    try:
        deps = wiring.deps(now, wiring.kept_snapshot(resumed.token, asked or "", now) if resumed else None)
        shown |= _home(deps) if asked is None else _answer(asked, resumed, request.GET.get("snapshot", ""), deps)
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


def _resumed(request: HttpRequest) -> Resume | None:
    """What was answered to the questions back: `echo`, and for each question `pick-<number>` or `say-<number>`."""
    if "echo" not in request.POST:
        return None
    picks = (_pick(request, number) for number in range(1, wiring.budget().questions + 1))
    return Resume(request.POST["echo"], tuple(pick for pick in picks if pick))


def _pick(request: HttpRequest, number: int) -> Pick | None:
    """What is written counts before what is chosen: without JavaScript a choice can be changed, but not taken back."""
    option, said = request.POST.get(f"pick-{number}", ""), request.POST.get(f"say-{number}", "").strip()
    if said:
        return Pick(number, say=said)
    return Pick(number, option) if option else None


def _home(deps: Deps) -> dict[str, object]:
    manifest = deps.snapshot.manifest
    return {
        "examples": [(text, f"?{urlencode({'fill': text})}") for text in examples(deps.snapshot)],
        "snapshot": say_snapshot(manifest.number, manifest.published, deps.town.timezone),
    }


def _answer(text: str, resumed: Resume | None, shared_from: str, deps: Deps) -> dict[str, object]:
    reply, taken = _reply(Query(text), resumed, deps)
    if reply.refused:
        return _home(deps) | {"refusal": reply.parts[0].text}
    meta = reply.body["meta"]
    number = str(meta["snapshot"]["number"])
    return {
        "parts": show_parts(reply, resumed),
        "notice": _notice(reply, taken) or (MOVED_ON if shared_from.isdecimal() and shared_from != number else ""),
        "query": reply.body["query"],
        "echo": reply.body["echo"],
        "several": len(reply.body["followups"]) > 1,
        "steps": show_steps(reply.body),
        "rounds": meta["rounds"],
        "strip": show_strip(meta, deps.town.timezone),
        "share": f"?{urlencode({'q': reply.body['query'], 'snapshot': number})}",
    }


def _notice(reply: Reply, taken: Mapping[str, Any]) -> str:
    """What the reply to an answer is: all of it anew, or the parts that were open, without those that were answered before (A-37)."""
    if "rejected" in taken:
        return ANEW.format(why=LATE.get(taken["rejected"], NOT_TAKEN))
    return REST if taken and len(reply.parts) < len(reply.body["meta"]["questions"]) else ""


def _reply(query: Query, resumed: Resume | None, deps: Deps) -> tuple[Reply, Mapping[str, Any]]:
    """The engine, drained: this page shows the whole answer at once. Beside the reply, what became of an answer to a question back."""
    *steps, reply = recorder().recorded(run(query, deps, resumed), query, deps, "web", resumed)
    assert isinstance(reply, Reply)  # noqa: S101 — a run ends with its reply
    return reply, next((step.counts for step in steps if isinstance(step, Event) and step.step == "resume"), {})
