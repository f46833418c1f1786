"""The spill loses nothing, and keeps its bound."""

import threading

import pytest

from audit.spill import Spill

RECORDS = [{"kind": "event", "row": {"seq": number}} for number in range(3)]


@pytest.fixture
def spill(tmp_path):
    return Spill(tmp_path / "spill", most=10_000)


def drained(spill) -> list:
    found = []
    spill.drain(found.extend)
    return found


def test_what_was_put_in_comes_out_in_its_order_and_then_it_is_gone(spill):
    assert (bool(spill), spill.append(RECORDS), bool(spill)) == (False, True, True)
    assert (drained(spill), bool(spill)) == (RECORDS, False)


def test_what_a_broken_take_over_left_comes_first_the_next_time(spill):
    spill.append(RECORDS[:1])
    with pytest.raises(OSError, match="locked"):
        spill.drain(refuse)
    spill.append(RECORDS[1:])
    assert drained(spill) == RECORDS


def refuse(_records):
    raise OSError("locked")


def test_a_line_that_a_killed_process_left_torn_spoils_no_other(spill):
    spill.append(RECORDS[:1])
    with spill.path.open("ab") as file:
        file.write(b'{"kind": "event", "ro')
    spill.append(RECORDS[1:])
    assert drained(spill) == RECORDS


@pytest.mark.rule("A-55")
def test_past_its_bound_it_takes_nothing_and_says_so(spill):
    assert spill.append([{"x": "y" * 9_000}]) is True
    assert spill.append([{"x": "y" * 9_000}]) is False
    assert len(drained(spill)) == 1


@pytest.mark.fault("FD5")
def test_a_full_disk_leaves_nothing_half_written(tmp_path):
    """Under a limit on the size of files, which a full disk looks like from inside."""
    import resource
    import signal

    spill = Spill(tmp_path / "spill")
    spill.append(RECORDS)
    size = spill.path.stat().st_size
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, before[1]))
    try:
        assert spill.append([{"x": "y" * 1_000}]) is False
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert (spill.path.stat().st_size, drained(spill)) == (size, RECORDS)


def test_many_may_append_while_it_is_taken_over_again_and_again(spill):
    spill = Spill(spill.path)
    found: list = []
    writers = [threading.Thread(target=lambda mine=number: [spill.append([{"n": mine * 100 + one}]) for one in range(100)]) for number in range(4)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        spill.drain(found.extend)
    spill.drain(found.extend)
    assert sorted(one["n"] for one in found) == list(range(400))
