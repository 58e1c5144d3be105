"""A team's key reaches members wrapped, and an invitation is one line."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.team.team_key import (
    KEY_BYTES,
    PREFIX,
    SECRET_BYTES,
    Invitation,
    TeamKeys,
    WrongSecret,
    new_key,
    new_secret,
    unwrap,
    unwrap_text,
    wrap,
    wrap_text,
)

ADDRESS = ServerAddress.parse("postgresql://anna@db.example.org:5433/notes?sslrootcert=/etc/ca.pem")
KEYS = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)
SECRETS = st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES)
INVITATIONS = st.builds(
    Invitation,
    address=st.just(ADDRESS),
    profile=st.integers(1, 2**31 - 1),
    name=st.text(min_size=1),
    password=st.text(),
    secret=SECRETS,
    root=st.sampled_from(["", "-----BEGIN CERTIFICATE-----"]),
)


def test_new_keys_and_secrets_are_random_and_of_their_length() -> None:
    assert {len(new_key()) for _ in range(3)} == {KEY_BYTES} == {32}
    assert {len(new_secret()) for _ in range(3)} == {SECRET_BYTES} == {16}
    assert len({new_key(), new_key(), new_secret(), new_secret()}) == 4


@given(KEYS, st.just(b"") | KEYS, SECRETS)
def test_the_secret_opens_what_was_wrapped_with_it(key: bytes, words_key: bytes, secret: bytes) -> None:
    keys = TeamKeys(key, words_key)
    wrapped = wrap(keys, secret)
    assert unwrap(wrapped, secret) == keys
    assert key not in wrapped
    assert not words_key or words_key not in wrapped
    assert secret not in wrapped
    assert wrap(keys, secret) != wrapped


def test_keys_are_not_printed() -> None:
    assert repr(TeamKeys(b"k" * KEY_BYTES, b"w" * KEY_BYTES)) == "TeamKeys(…)"


@given(SECRETS, st.integers(0, 8 * SECRET_BYTES - 1))
def test_a_secret_with_one_bit_changed_opens_nothing(secret: bytes, bit: int) -> None:
    wrapped = wrap(TeamKeys(bytes(KEY_BYTES)), secret)
    with pytest.raises(WrongSecret):
        unwrap(wrapped, _flipped(secret, bit))


@given(st.data())
def test_what_was_wrapped_opens_only_whole(data: st.DataObject) -> None:
    secret = bytes(SECRET_BYTES)
    wrapped = wrap(TeamKeys(new_key()), secret)
    changed = data.draw(
        st.integers(0, 8 * len(wrapped) - 1).map(lambda bit: _flipped(wrapped, bit))
        | st.integers(0, len(wrapped) - 1).map(lambda length: wrapped[:length])
        | st.binary(min_size=1).map(lambda more: wrapped + more)
    )
    with pytest.raises(WrongSecret):
        unwrap(changed, secret)


def test_a_key_of_another_length_is_no_key() -> None:
    secret = new_secret()
    with pytest.raises(WrongSecret):
        unwrap(wrap(TeamKeys(bytes(16)), secret), secret)


@given(INVITATIONS)
def test_an_invitation_is_read_as_it_was_written(invitation: Invitation) -> None:
    line = invitation.text()
    assert line.startswith(PREFIX)
    assert line.isascii()
    assert not set(line) & set(" \n\r\t/+=")
    assert Invitation.parse(line) == invitation
    assert Invitation.parse(f"\n  {line[:40]}\r\n{line[40:]} \n") == invitation
    assert Invitation.parse(f"anna\t{line}\n") == invitation  # as `new-key` prints it
    assert Invitation.parse(f'Here it is: "{line}", for you alone.') == invitation


@given(INVITATIONS.filter(lambda invitation: len(invitation.password) > 8), st.data())
def test_a_spoilt_invitation_is_refused_and_not_repeated(invitation: Invitation, data: st.DataObject) -> None:
    line = invitation.text()
    spoilt = data.draw(
        st.integers(0, len(line) - 1).map(lambda length: line[:length])
        | st.text(max_size=20).filter(lambda text: not text.strip().startswith(PREFIX))
        | st.just(line.replace(PREFIX, "scrubjay-team-2:"))
        | st.just(f"{line[:-3]}*{line[-3:]}")
        | st.just(line * 200)
    )
    with pytest.raises(InvalidProfile) as refusal:
        Invitation.parse(spoilt)
    assert invitation.password not in str(refusal.value)
    assert line[len(PREFIX) :] not in str(refusal.value)


@pytest.mark.parametrize(
    "packed",
    [
        b'["postgresql://anna@db.example.org/notes",0,"team","","AAAAAAAAAAAAAAAAAAAAAA=="]',
        b'["postgresql://anna@db.example.org/notes",1,"","","AAAAAAAAAAAAAAAAAAAAAA=="]',
        b'["postgresql://anna@db.example.org/notes",1,"team","","AAAA"]',
        b'["postgresql://anna@db.example.org/notes",1,"team","","AAAAAAAAAAAAAAAAAAAAAA==","root","more"]',
        b'["postgresql://anna@db.example.org/notes?sslmode=disable",1,"team","","AAAAAAAAAAAAAAAAAAAAAA=="]',
        b'["postgresql://anna@db.example.org/notes",1,"team",7,"AAAAAAAAAAAAAAAAAAAAAA=="]',
        b"{}",
        b"\xff",
    ],
)
def test_an_invitation_that_somebody_made_up_is_refused(packed: bytes) -> None:
    with pytest.raises(InvalidProfile):
        Invitation.parse(PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("="))


@given(st.text(), st.binary(min_size=32, max_size=32), st.integers(min_value=0))
def test_a_text_is_opened_by_the_key_that_sealed_it_alone(text: str, key: bytes, bit: int) -> None:
    sealed = wrap_text(text, key)
    assert unwrap_text(sealed, key) == text
    assert wrap_text(text, key) != sealed
    for other, other_key in ((sealed, new_key()), (_flipped(sealed, bit % (8 * len(sealed))), key), (b"", key)):
        with pytest.raises(WrongSecret):
            unwrap_text(other, other_key)


def test_an_invitation_shows_no_secret_in_a_log() -> None:
    invitation = Invitation(ADDRESS, 1, "team", password="a" * 24, secret=b"b" * 16)
    assert "a" * 24 not in f"{invitation!r} {invitation}"
    assert "b" * 16 not in f"{invitation!r} {invitation}"


def _flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
