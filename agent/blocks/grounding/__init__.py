"""Grounding: nothing is shown that the gathered rows do not say (A-42). `docs/grounding.md` tells what is held against what."""

from collections.abc import Collection, Sequence

from agent.blocks.grounding.basis import Ground
from agent.blocks.grounding.read import phrases_of
from agent.blocks.grounding.sentences import Town, untrue
from agent.blocks.grounding.told import told
from agent.snapshot.lexicon import Lexicon
from agent.snapshot.names import fold
from agent.types import Part, Row


def problems(
    part: Part, gathered: Sequence[Row], said: str, counts: Collection[int], lexicon: Lexicon, *, town: str = "", own: Collection[str] = ()
) -> list[str]:
    """What in a part is not true of the rows gathered for its question, each with the word and why; empty when it is grounded.

    `said` is what the resident typed (it may be repeated, not asserted), `counts` the numbers of rows found, `town` its name, `own` the notes
    and the reasons for finding nothing that the tools wrote.
    """
    by_id = {row.id: row for row in gathered}
    text = f" {fold(part.text)} "
    found = [f"{row.name} was not gathered" for row in part.recommends if by_id.get(row.id) != row]
    found += [f"{row.name} is recommended and not named" for row in part.recommends if f" {fold(row.name)} " not in text]
    known = {row: told(by_id[row], lexicon) for row in dict.fromkeys(row for one in part.sentences for row in one.rows) if row in by_id}
    words = frozenset(fold(said).split())
    phrases = frozenset(fold(phrase) for phrase in own)
    for sentence in part.sentences:
        if strangers := [row for row in sentence.rows if row not in by_id]:
            found.append(f"rows {strangers} are of another question")
            continue
        cited = tuple(known[row] for row in dict.fromkeys(sentence.rows))
        anchor = part.anchor.name if part.anchor else ""
        ground = Ground(cited, tuple(gathered), max((*counts, len(gathered))), words)
        found += untrue(sentence.free, ground, Town(lexicon, phrases_of(cited, anchor, town), phrases))
    return found
