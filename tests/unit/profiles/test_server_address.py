"""Addresses of a team's server: no password, and TLS that proves who answers."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.profiles.errors import InvalidProfile
from scrubjay.profiles.server_address import ServerAddress


def names(without: str = "") -> st.SearchStrategy[str]:
    """Printable ones."""
    characters = st.characters(exclude_categories=("C", "Z"), exclude_characters=without) | st.just(" ")
    return st.text(characters, min_size=1, max_size=12)


HOSTS = (
    st.from_regex(r"[a-z0-9]{1,8}(\.[a-z0-9]{1,8}){0,2}", fullmatch=True)
    | st.ip_addresses().map(str)
    | names(",/:[")
    | names(",").map(lambda name: f"/{name}")
)
PATHS = names().map(lambda name: f"/etc/{name}")
OPTIONS = st.dictionaries(st.sampled_from(["sslcert", "sslkey", "sslrootcert"]), PATHS)
ADDRESSES = st.builds(
    ServerAddress,
    host=HOSTS,
    port=st.integers(1, 65535),
    database=names(),
    user=names(),
    options=OPTIONS.map(lambda options: tuple(sorted(options.items()))),
)


@given(ADDRESSES)
def test_an_address_is_read_as_it_is_written(address: ServerAddress) -> None:
    assert ServerAddress.parse(str(address)) == address


@pytest.mark.parametrize(
    ("text", "host", "port", "local", "sslmode"),
    [
        ("postgresql://anna@db.example.org/notes", "db.example.org", 5432, False, "verify-full"),
        ("postgres://anna@db.example.org:5433/notes", "db.example.org", 5433, False, "verify-full"),
        (
            "postgresql://anna@db.example.org/notes?sslrootcert=/etc/ca.pem",
            "db.example.org",
            5432,
            False,
            "verify-full",
        ),
        ("postgresql://anna@db.example.org/notes?sslmode=verify-full", "db.example.org", 5432, False, "verify-full"),
        ("postgresql://anna@localhost/notes", "localhost", 5432, True, "prefer"),
        ("postgresql://anna@127.8.0.1/notes?sslmode=disable", "127.8.0.1", 5432, True, "disable"),
        ("postgresql://anna@[::1]:5433/notes", "::1", 5433, True, "prefer"),
        ("postgresql://anna@[2001:db8::7]/notes", "2001:db8::7", 5432, False, "verify-full"),
        ("postgresql://anna@[::ffff:127.0.0.1]/notes", "::ffff:7f00:1", 5432, False, "verify-full"),
        ("postgresql://anna@/notes?host=/run/postgresql", "/run/postgresql", 5432, True, "prefer"),
        ("postgresql://anna@%2Frun%2Fpostgresql/notes", "/run/postgresql", 5432, True, "prefer"),
        ("postgresql://anna@localhost.example.org/notes", "localhost.example.org", 5432, False, "verify-full"),
        ("postgresql://anna@127.1/notes", "127.1", 5432, False, "verify-full"),
    ],
)
def test_only_what_stays_on_the_machine_goes_without_proof_of_the_server(
    text: str, host: str, port: int, local: bool, sslmode: str
) -> None:
    address = ServerAddress.parse(text)
    assert (address.host, address.port, address.user, address.database) == (host, port, "anna", "notes")
    assert (address.is_local, address.sslmode) == (local, sslmode)


@pytest.mark.parametrize(
    "mode", ["disable", "allow", "prefer", "require", "verify-ca", "", "VERIFY-FULL", "verify-full "]
)
def test_weaker_tls_is_refused_over_a_network(mode: str) -> None:
    with pytest.raises(InvalidProfile):
        ServerAddress.parse(f"postgresql://anna@db.example.org/notes?sslmode={mode}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "anna@db.example.org/notes",
        "mysql://anna@db.example.org/notes",
        "postgresql://db.example.org/notes",
        "postgresql://anna@db.example.org",
        "postgresql://anna@db.example.org/",
        "postgresql://anna@/notes",
        "postgresql://anna@db.example.org:0/notes",
        "postgresql://anna@db.example.org:65536/notes",
        "postgresql://anna@db.example.org:x/notes",
        "postgresql://anna@a.example.org,b.example.org/notes",
        "postgresql://anna@/notes?host=run",
        "postgresql://anna@db.example.org/notes?host=/run/postgresql",
        "postgresql://anna@[::zz]/notes",
        "postgresql://anna@db.example.org/notes?hostaddr=127.0.0.1",
        "postgresql://anna@db.example.org/notes?service=other",
        "postgresql://anna@db.example.org/notes?options=-csearch_path%3Dx",
        "postgresql://anna@db.example.org/no%00tes",
        "postgresql://anna@db.example.org/no%fftes",
        "postgresql://anna@db.example.org/notes\n",
        " postgresql://anna@db.example.org/notes",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidProfile):
        ServerAddress.parse(text)


PASSWORDS = st.text(st.sampled_from(string.digits + "/?#@:%&=[]"), min_size=8)


@given(
    PASSWORDS.map(lambda password: (password, f"postgresql://anna:{password}@db.example.org/notes"))
    | PASSWORDS.map(lambda password: (password, f"postgresql://anna@db.example.org/notes?password={password}"))
    | PASSWORDS.map(lambda password: (password, f"postgresql://anna@localhost/notes?sslpassword={password}"))
)
def test_a_password_is_refused_and_never_repeated(case: tuple[str, str]) -> None:
    password, text = case
    with pytest.raises(InvalidProfile, match="password") as refusal:
        ServerAddress.parse(text)
    assert password not in str(refusal.value)
    assert refusal.value.__context__ is None


@given(st.text(st.sampled_from(string.printable)), st.sampled_from(["", "postgresql://", "postgresql://anna:"]))
def test_nothing_of_an_address_that_is_refused_is_repeated(text: str, start: str) -> None:
    marked = f"{start}Xq7{text}7qX"
    try:
        ServerAddress.parse(marked)
    except InvalidProfile as refusal:
        assert "Xq7" not in str(refusal)
        assert "7qX" not in str(refusal)
