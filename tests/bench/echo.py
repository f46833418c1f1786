"""G-S4: verifying an echo, against one HMAC-SHA256 over the same token: `python -m tests.bench.echo`.

Verified are signature, age, version, payload and query: everything between the token and the Echo. A usual echo has one question with four options,
a full one two such questions and five kept rows. Both sides run in one process in blocks of CPU time, seven pairs A B A B. It opens with the
HMAC against itself: outside 0.9 to 1.1 the machine is noisy, and that is said. Django's signing of the same payload stands beside it.
"""

import hashlib
import hmac
import json
import statistics
from datetime import UTC, datetime

from django.conf import settings
from django.core.signing import dumps, loads

from agent.echo import Echo, Pending, _verifier, begin, mint, verify
from tests.bench.nearby import BLOCK_S, pairs

NOW = datetime(2026, 12, 4, 18, 30, tzinfo=UTC)
QUERY = "a quiet cafe near the lake and somewhere to eat tonight"
KEY = "a key of the bench, as long as a real one is"
WHERE = Pending(1, "where", {f"area:north-side-{number}": f"North Side {number}" for number in range(4)})
WHICH = Pending(2, "which", {f"place:the-harbour-inn-{number}": f"The Harbour Inn {number}" for number in range(4)})
ECHOES = {
    "usual": begin(QUERY, 12, [WHERE]),
    "full": begin(QUERY, 12, [WHERE, WHICH], tuple((3, f"place:old-boathouse-{number}") for number in range(5))),
}


def measure(echo: Echo, block_s: float = BLOCK_S) -> dict[str, float]:
    """The median, least and greatest ratio, and the medians of the signature alone, of the base against itself, and of Django's signing."""
    token = mint(echo, [KEY], NOW)
    value, _, signature = token.encode().rpartition(b".")
    verifier = _verifier((KEY,))
    theirs = dumps(echo, key=KEY, salt="bench")

    def base() -> bytes:
        return hmac.new(KEY.encode(), token.encode(), hashlib.sha256).digest()

    def signature_alone() -> None:
        verifier.verify_signature(value, signature)

    itself, alone = pairs(base, base, block_s), pairs(signature_alone, base, block_s)
    ratios = pairs(lambda: verify(token, QUERY, [KEY], NOW), base, block_s)
    django = pairs(lambda: loads(theirs, key=KEY, salt="bench", fallback_keys=[]), base, block_s)
    return {
        "chars": len(token),
        "median": statistics.median(ratios),
        "least": min(ratios),
        "greatest": max(ratios),
        "signature_alone": statistics.median(alone),
        "itself": statistics.median(itself),
        "django": statistics.median(django),
    }


def main() -> None:
    if not settings.configured:
        settings.configure()  # Django's signing asks for it
    for name, echo in ECHOES.items():
        found = measure(echo)
        noise = "" if 0.9 <= found["itself"] <= 1.1 else " (noisy)"
        print(json.dumps({"goal": "G-S4", "at_most": 5, "echo": name, **{of: round(value, 2) for of, value in found.items()}}) + noise)  # noqa: T201


if __name__ == "__main__":
    main()
