"""Time words, read without a model: where they stand in a question, what they mean, and what is said of when something is on.

- `find_when(words, town)` finds them, and reads no clock: the rules model takes them out of the clause and hands them over as they were typed.
- `read_when(words, now, town)` says what they mean at an instant: the harness does (A-24).
- `say_when(start, end, now, all_day, town)` is the way back: the flag, the relative and the absolute time of something that is on.
"""

from agent.times.find import Spoken, Spot, find_when, read_when
from agent.times.say import say_when

__all__ = ["Spoken", "Spot", "find_when", "read_when", "say_when"]
