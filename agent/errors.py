"""What can go wrong while a question is answered, named by whose fault it is."""

from typing import Literal


class AskError(Exception):
    """Anything that the engine raises on purpose."""


class Refused(AskError):
    """The resident's input is not one to answer. `why` is one of the reply's `refused` words."""

    def __init__(self, why: str, say: str) -> None:
        super().__init__(say)
        self.why = why
        self.say = say


class EchoRejected(AskError):
    """A follow-up that is not taken up: the query that came along is asked anew (A-35)."""

    def __init__(self, why: Literal["size", "tampered", "future", "expired", "version", "query", "snapshot"]) -> None:
        super().__init__(f"the echo is not taken up: {why}")
        self.why = why


class InvalidPick(AskError):
    """A pick that was not offered for that question: its options are shown once more (A-36)."""

    def __init__(self, question: int) -> None:
        super().__init__(f"that was not offered for question {question}")
        self.question = question


class ModelMisbehaved(AskError):
    """The model sent something that the protocol does not allow: the round is spent, and the run goes on."""


class ModelUnavailable(AskError):
    """The model could not be reached in time."""


class ToolRefused(AskError):
    """A call that the registry or a belt does not allow, or whose arguments do not fit: it fails alone."""


class SnapshotUnavailable(AskError):
    """There is no snapshot that can be opened; `publish` mends it."""


class TooSlow(AskError):
    """A statement took longer than its limit and was stopped: that look-up found nothing."""


class SnapshotRefused(AskError):
    """A snapshot that is not to be published or opened: the content, the file or the disk is not as it must be. The live one stays."""
