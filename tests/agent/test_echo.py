import hashlib
import json
from datetime import datetime, timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule
from itsdangerous import TimestampSigner
from itsdangerous.encoding import base64_encode
from itsdangerous.signer import HMACAlgorithm

from agent.echo import MOST_CHARS, SALT, Echo, Pending, begin, digest_of, mint, pick, show_again, verify
from agent.errors import EchoRejected, InvalidPick
from asksmall.settings import read_echo_keys
from tests.clock import NOW

QUERY = "a quiet cafe near the lake"
KEY, OLD_KEY = "k" * 32, "o" * 32
WHERE = Pending(1, "where", {"area:harbour": "Harbour", "area:hill": "Le Château"})
WHICH = Pending(2, "which", {"place:inn": "The Inn", "place:inn-2": "The Inn, Hill"})
ECHO = begin(QUERY, 12, [WHERE, WHICH], ((3, "place:pier"),))
TOKEN = mint(ECHO, [KEY], NOW)
STAMP = int(NOW.timestamp())


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def why(token: str, query: str = QUERY, keys: tuple[str, ...] = (KEY,), now: datetime = NOW) -> str:
    with pytest.raises(EchoRejected) as caught:
        verify(token, query, keys, now)
    assert str(caught.value) == f"the echo is not taken up: {caught.value.why}"
    return caught.value.why


class Stamped(TimestampSigner):
    """The library's own signer, with a stamp of the test's."""

    stamp = STAMP

    def get_timestamp(self) -> int:
        return self.stamp


def signed(value: bytes, salt: str = SALT, digest: object = hashlib.sha256, stamp: int = STAMP) -> str:
    signer = Stamped(KEY, salt=salt, digest_method=digest)
    signer.stamp = stamp
    return signer.sign(value).decode()


def signed_payload(payload: object) -> str:
    return signed(b"1." + base64_encode(json.dumps(payload)))


@pytest.mark.rule("A-30")
def test_an_echo_comes_back_as_it_was_minted():
    assert verify(TOKEN, QUERY, [KEY], NOW) == ECHO._replace(minted=STAMP)


@pytest.mark.rule("A-30")
def test_the_token_is_signed_by_hmac_sha256():
    assert signed(TOKEN.rsplit(".", 2)[0].encode()) == TOKEN
    assert why(signed(TOKEN.rsplit(".", 2)[0].encode(), digest=hashlib.sha1)) == "tampered"


@pytest.mark.rule("A-30")
def test_an_echo_has_no_room_for_a_position():
    assert Echo.__annotations__.keys() == {"digest", "snapshot", "nonce", "pending", "rows", "minted", "version"}
    assert Pending.__annotations__.keys() == {"question", "slot", "options", "shown"}
    with pytest.raises(ValueError, match="int_type"):
        mint(ECHO._replace(snapshot=54.4), [KEY], NOW)


@pytest.mark.rule("A-30")
def test_an_echo_holds_the_digest_of_the_query_and_not_its_words():
    assert ECHO.digest == digest_of(QUERY) == hashlib.sha256(QUERY.encode()).hexdigest()


@pytest.mark.rule("A-31")
@pytest.mark.fault("FE1")
def test_every_flipped_bit_is_refused():
    flipped = [TOKEN[:at] + chr(ord(letter) ^ (1 << bit)) + TOKEN[at + 1 :] for at, letter in enumerate(TOKEN) for bit in range(8)]
    assert {why(token) for token in flipped} == {"tampered"}
    assert len(flipped) == 8 * len(TOKEN)


@pytest.mark.rule("A-31")
@pytest.mark.fault("FE1")
def test_a_signature_has_one_spelling():
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    assert [letter for letter in last if letter != TOKEN[-1] and why(TOKEN[:-1] + letter) != "tampered"] == []
    assert {why(TOKEN + more) for more in ("=", "\n", " ", "A", "!")} == {"tampered"}


@pytest.mark.rule("A-30", "A-31")
@pytest.mark.fault("FE2")
@pytest.mark.parametrize("seconds", [-30, -1, 0, 599, 600])
def test_an_echo_is_good_for_ten_minutes_and_thirty_seconds_ahead(seconds: int):
    assert verify(TOKEN, QUERY, [KEY], after(seconds)).minted == STAMP


@pytest.mark.rule("A-30", "A-31")
@pytest.mark.fault("FE2")
@pytest.mark.parametrize(
    ("seconds", "said"),
    [(600.001, "expired"), (601, "expired"), (86_400, "expired"), (-30.001, "future"), (-31, "future"), (-86_400, "future")],
)
def test_an_echo_out_of_its_time_is_refused(seconds: float, said: str):
    assert why(TOKEN, now=after(seconds)) == said


@pytest.mark.rule("A-30")
def test_minting_again_keeps_the_first_time_and_carries_the_count():
    again = show_again(verify(TOKEN, QUERY, [KEY], after(300)))
    read = verify(mint(again, [KEY], after(300)), QUERY, [KEY], after(600))
    assert (read.minted, read.nonce, [one.shown for one in read.pending]) == (STAMP, ECHO.nonce, [2, 2])
    assert why(mint(again, [KEY], after(300)), now=after(601)) == "expired"


@pytest.mark.fault("FE3")
def test_a_thousand_replays_give_the_same_echo():
    first = verify(TOKEN, QUERY, [KEY], NOW)
    assert [echo for echo in (verify(TOKEN, QUERY, [KEY], after(5)) for _ in range(1000)) if echo != first] == []
    assert [one.shown for one in first.pending] == [1, 1]


class Replays(RuleBasedStateMachine):
    """A client that keeps every token it was given and sends any of them, whenever it likes."""

    tokens = Bundle("tokens")

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []
        self.late = 0

    @initialize(target=tokens)
    def asked(self) -> str:
        return self.hand_out(TOKEN)

    def hand_out(self, token: str) -> str:
        self.given.append(token)
        return token

    @rule(seconds=st.integers(0, 120))
    def time_goes_by(self, seconds: int) -> None:
        self.late += seconds

    @rule(target=tokens, token=tokens)
    def picks_wrongly(self, token: str) -> str:
        if self.late > 600:
            assert why(token, now=after(self.late)) == "expired"
            return token
        again = show_again(verify(token, QUERY, [KEY], after(self.late)))
        return token if again is None else self.hand_out(mint(again, [KEY], after(self.late)))

    @invariant()
    def nothing_is_shown_a_third_time_nor_lives_longer(self) -> None:
        read = [verify(token, QUERY, [KEY], NOW) for token in self.given]
        assert {(echo.minted, echo.nonce) for echo in read} <= {(STAMP, ECHO.nonce)}
        assert {one.shown for echo in read for one in echo.pending} <= {1, 2}
        assert len(set(self.given)) <= 2


TestReplays = pytest.mark.fault("FE3")(Replays.TestCase)
TestReplays.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)


@pytest.mark.rule("A-31")
@pytest.mark.fault("FE4")
def test_an_echo_of_another_key_salt_version_or_query_is_refused():
    value = TOKEN.rsplit(".", 2)[0].encode()
    assert why(TOKEN, keys=(OLD_KEY,)) == "tampered"
    assert why(TOKEN, keys=()) == "tampered"
    assert why(signed(value, salt="asksmall.echo.v2")) == "tampered"
    assert why(mint(ECHO._replace(version=2), [KEY], NOW)) == "version"
    assert why(TOKEN, query=QUERY + "?") == "query"


@pytest.mark.fault("FE4")
def test_what_is_wrong_is_said_in_a_fixed_order():
    other = mint(ECHO._replace(version=2), [KEY], NOW)
    assert why(other, query="another", now=after(601)) == "expired"
    assert why(other, query="another") == "version"
    assert why(TOKEN, query="another", keys=(OLD_KEY,), now=after(601)) == "tampered"


@pytest.mark.rule("A-31")
def test_a_pick_that_was_offered_gives_its_label():
    assert (pick(ECHO, 1, "area:hill"), pick(ECHO, 2, "place:inn")) == ("Le Château", "The Inn")


@pytest.mark.rule("A-31")
@pytest.mark.fault("FE4")
@pytest.mark.parametrize(
    ("question", "option"), [(1, "area:moon"), (1, "place:inn"), (2, "area:harbour"), (3, "area:harbour"), (1, "Harbour"), (1, "")]
)
def test_a_pick_that_was_not_offered_for_its_question_is_invalid(question: int, option: str):
    with pytest.raises(InvalidPick, match=f"question {question}") as caught:
        pick(ECHO, question, option)
    assert caught.value.question == question


@pytest.mark.rule("A-36")
def test_options_are_shown_once_more_and_not_a_third_time():
    again = show_again(ECHO)
    assert [one.shown for one in again.pending] == [2, 2]
    assert show_again(again) is None
    assert show_again(ECHO._replace(pending=(WHERE, WHICH._replace(shown=2)))) is None


@pytest.mark.rule("A-38")
@pytest.mark.fault("FE5")
def test_an_old_key_is_good_until_it_is_taken_out():
    old = mint(ECHO, [OLD_KEY], NOW)
    assert verify(old, QUERY, [KEY, OLD_KEY], after(600)).snapshot == 12
    assert why(old, keys=(KEY, OLD_KEY), now=after(601)) == "expired"
    assert why(old, keys=(KEY,)) == "tampered"


@pytest.mark.rule("A-38")
@pytest.mark.fault("FE5")
def test_the_first_key_signs():
    assert mint(ECHO, [KEY, OLD_KEY], NOW) == TOKEN


@pytest.mark.rule("A-38")
def test_the_setting_lists_the_keys_with_the_signing_one_first():
    assert read_echo_keys(f" {KEY}, {OLD_KEY},", "secret") == (KEY, OLD_KEY)


def test_without_the_setting_the_key_is_made_from_the_secret_and_is_not_it():
    (key,) = read_echo_keys("", "secret")
    assert (len(key), "secret" in key) == (64, False)
    assert read_echo_keys(" , ", "secret") == (key,)
    assert read_echo_keys("", "another") != (key,)


def test_a_short_key_is_refused_and_not_shown():
    with pytest.raises(ImproperlyConfigured, match="ASKSMALL_ECHO_KEYS has a key of fewer than 32 characters") as caught:
        read_echo_keys(f"{KEY},hunter2", "secret")
    assert "hunter2" not in str(caught.value)


@pytest.fixture
def hmacs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The length of each message that the library took an HMAC of."""
    lengths: list[int] = []
    whole = HMACAlgorithm.get_signature

    def counted(self: HMACAlgorithm, key: bytes, value: bytes) -> bytes:
        lengths.append(len(value))
        return whole(self, key, value)

    monkeypatch.setattr(HMACAlgorithm, "get_signature", counted)
    return lengths


@pytest.mark.fault("FE6")
def test_a_token_that_is_too_long_is_refused_before_any_hmac(hmacs: list[int]):
    deep = "1." + base64_encode("[" * 100_000 + "]" * 100_000).decode() + TOKEN[-50:]
    assert {why(token) for token in ("A" * 1_000_000, TOKEN + "A" * MOST_CHARS, deep, "é" * 4097)} == {"size"}
    assert hmacs == []
    assert why("1.a.b." + "A" * (MOST_CHARS - 6)) == "tampered"
    verify(TOKEN, QUERY, [KEY], NOW)
    assert hmacs[1:] == [len(TOKEN) - 44]


@pytest.mark.fault("FE6")
@pytest.mark.parametrize(
    "token",
    ["", ".", "...", "....", "a", TOKEN[:-1], TOKEN[1:], TOKEN[: len(TOKEN) // 2], TOKEN + TOKEN, TOKEN + "." + TOKEN, "é" * 100, "\ud800.1.2.3", "\0" * 9,
     TOKEN.replace(".", "．"), "[" * 4096],
)  # fmt: skip
def test_what_is_no_token_is_refused(token: str):
    assert why(token) == "tampered"


@pytest.mark.fault("FE6")
def test_a_signed_payload_is_read_strictly_all_the_same():
    good = [ECHO.digest, 12, "n", [[1, "where", {"a": "A"}, 1]], []]
    assert verify(signed_payload(good), QUERY, [KEY], NOW) == Echo(ECHO.digest, 12, "n", (Pending(1, "where", {"a": "A"}),), (), STAMP)
    options = {str(number): "A" for number in range(5)}
    wrong = [
        {}, [], good[:4], [*good, 1], ["x", "12", "n", [], []], [ECHO.digest, 12.5, "n", [], []], [ECHO.digest, True, "n", [], []],
        [ECHO.digest, 12, "n", [[1, "why", {}, 1]], []], [ECHO.digest, 12, "n", [[1, "where", options, 1]], []],
        [ECHO.digest, 12, "n", [[1, "where", {}, 1]] * 3, []], [ECHO.digest, 12, "n", [[1, "where", {}, 3]], []],
        [ECHO.digest, 12, "n", [[1, "where", {}, 0]], []], [ECHO.digest, 12, "n", [], [[1, "place:a"]] * 16], [ECHO.digest, 12, "n", [], [[54.4, -2.9]]],
    ]  # fmt: skip
    assert [payload for payload in wrong if why(signed_payload(payload)) != "tampered"] == []
    assert why(signed(b"1." + base64_encode("[" * 2500))) == "tampered"
    assert {why(signed(value)) for value in (b"1.A", b"1.__79", b"1.", b"1", b"1.a.b", b"")} == {"tampered"}
    assert why(signed(b"1.W10", stamp=2**63)) == "future"


@pytest.mark.fault("FE6")
def test_an_echo_that_no_door_would_take_back_is_not_minted():
    long = WHERE._replace(options={f"area:{number}": "é" * 1000 for number in range(4)})
    with pytest.raises(EchoRejected) as caught:
        mint(ECHO._replace(pending=(long,)), [KEY], NOW)
    assert caught.value.why == "size"


@pytest.mark.fault("FE6")
def test_the_longest_echo_that_is_minted_is_taken_back():
    def minted(letters: int) -> str:
        return mint(ECHO._replace(pending=(WHERE._replace(options={"area:a": "A" * letters}),)), [KEY], NOW)

    longest = next(letters for letters in range(MOST_CHARS) if len(minted(letters)) == MOST_CHARS)
    assert verify(minted(longest), QUERY, [KEY], NOW).pending[0].options == {"area:a": "A" * longest}
    with pytest.raises(EchoRejected, match="size"):
        minted(longest + 1)


@pytest.mark.rule("A-28")
def test_a_third_question_and_a_fifth_option_do_not_fit_in():
    with pytest.raises(ValueError, match="at most 2 items"):
        mint(ECHO._replace(pending=(WHERE, WHICH, WHERE)), [KEY], NOW)
    with pytest.raises(ValueError, match="at most 4 items"):
        mint(ECHO._replace(pending=(WHERE._replace(options={str(number): "A" for number in range(5)}),)), [KEY], NOW)


SHORT = st.text(max_size=20)
PENDING = st.builds(
    Pending, st.integers(1, 3), st.sampled_from(["where", "what", "which"]), st.dictionaries(SHORT, SHORT, max_size=4), st.integers(1, 2)
)


@settings(max_examples=100, deadline=None)
@given(SHORT, st.integers(0, 2**40), st.lists(PENDING, max_size=2), st.lists(st.tuples(st.integers(1, 3), SHORT), max_size=5), st.integers(0, 600))
def test_any_echo_comes_back_as_it_was_minted(query: str, snapshot: int, pending: list[Pending], rows: list[tuple[int, str]], late: int):
    echo = begin(query, snapshot, pending, tuple(rows))
    read = verify(mint(echo, [KEY], NOW), query, [KEY], after(late))
    assert read == echo._replace(minted=STAMP)
    assert [[*one.options] for one in read.pending] == [[*one.options] for one in pending]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_refused(text: str):
    assert why(text) == "tampered"


def test_a_first_echo_is_made_of_what_was_asked_and_a_short_name():
    first = begin(QUERY, 12, [WHERE], ((3, "place:pier"),))
    assert first._replace(nonce="") == Echo(hashlib.sha256(QUERY.encode()).hexdigest(), 12, "", (WHERE,), ((3, "place:pier"),))
    assert len(first.nonce) == 12


def test_two_follow_ups_on_one_query_have_names_of_their_own():
    assert len({begin(QUERY, 12, [WHERE]).nonce for _ in range(100)}) == 100
