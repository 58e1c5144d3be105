"""A server that refuses, is away or fails is said to, in our words; a password goes to nobody but the right server."""

import contextlib
import datetime
import ipaddress
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from scrubjay.profiles.errors import (
    StoreAway,
    StoreBusy,
    StoreCorrupt,
    StoreDenied,
    StoreError,
    StoreFull,
    StoreRefused,
)
from scrubjay.profiles.server_address import ServerAddress
from scrubjay.profiles.team.server import arguments, connect, translated
from tests.helpers.team_server import TeamDatabase

PASSWORD = "-".join(["a", "word", "of", "anna"])
SSL_REQUEST = struct.pack("!ii", 8, 80877103)


def test_a_connection_is_for_one_profile_and_gives_up_in_time(shared: TeamDatabase) -> None:
    with shared.as_member("ada") as ada:
        settings = ("application_name", "scrubjay.profile", "search_path", "statement_timeout", "client_encoding")
        said = [ada.execute(f"SELECT current_setting('{name}')".encode()).fetchall()[0][0] for name in settings]
        assert said == ["scrubjay", "1", "scrubjay_p1, scrubjay, public, pg_temp", "30s", "UTF8"]
        assert ada.autocommit
    given = arguments(shared.owner, None, timeout=7)
    assert (given["connect_timeout"], given["tcp_user_timeout"]) == (7, 7000)
    assert arguments(shared.owner, None, timeout=0.3)["connect_timeout"] == 2
    assert "options" not in given  # which poolers refuse


def test_over_a_network_the_server_has_to_prove_itself_to_the_systems_roots() -> None:
    given = arguments(ServerAddress.parse("postgresql://anna@db.example.org/notes"), PASSWORD, timeout=5)
    assert given["sslmode"] == "verify-full"
    assert "BEGIN CERTIFICATE" in Path(given["sslrootcert"]).read_text("utf-8")
    own = ServerAddress.parse("postgresql://anna@db.example.org/notes?sslrootcert=/etc/own.pem")
    assert arguments(own, PASSWORD, timeout=5)["sslrootcert"] == "/etc/own.pem"


def test_who_may_not_come_in_is_told_so(team_database: TeamDatabase) -> None:
    with team_database.as_operator() as operator:
        for name, login in {"eve": "LOGIN", "stranger": "LOGIN", "away": "NOLOGIN"}.items():
            operator.execute(f"CREATE ROLE {name} {login} PASSWORD '{PASSWORD}'".encode())
        operator.execute(f"GRANT CONNECT ON DATABASE {team_database.name} TO eve, away".encode())
    for user, database, password, error in (
        ("eve", team_database.name, "another", StoreDenied),
        ("eve", team_database.name, "", StoreDenied),
        ("nobody", team_database.name, PASSWORD, StoreDenied),
        ("eve", "nowhere", PASSWORD, StoreError),
        ("stranger", team_database.name, PASSWORD, StoreDenied),
        ("away", team_database.name, PASSWORD, StoreDenied),
    ):
        address = team_database.server.address(user, database)
        with pytest.raises(StoreError) as refusal:
            connect(address, password, timeout=60)
        assert type(refusal.value) is error, (user, database, password)
        assert address.server in str(refusal.value)
        _tells_no_secret(refusal.value)


FAILURES = {
    StoreAway: ("08006", "57P01", "57P03"),
    StoreFull: ("53300",),
    StoreBusy: ("57014", "55P03", "40001", "40P01"),
    StoreDenied: ("42501",),
    StoreError: ("25006", "53100", "53200", "58030", "3F000", "42P01"),
    StoreCorrupt: ("XX001", "XX002"),
    StoreRefused: ("22012",),
}


def test_every_failure_of_a_statement_is_one_of_ours(shared: TeamDatabase) -> None:
    for error, state in [(error, state) for error, states in FAILURES.items() for state in states]:
        raising = f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{state}', DETAIL = '{PASSWORD}'; END $$"
        with pytest.raises(StoreError) as failure, shared.as_owner() as owner, translated(shared.owner):
            owner.execute(raising.encode())
        assert type(failure.value) is error, state
        assert shared.owner.server in str(failure.value)
        _tells_no_secret(failure.value)


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("SELECT pg_sleep(60)", StoreBusy),
        ("SET default_transaction_read_only = on ;; INSERT INTO meta (name, value) VALUES ('a', 'b')", StoreError),
        (f"SELECT '{PASSWORD}'::integer", StoreRefused),
        (f"INSERT INTO meta (name, value) VALUES ('{PASSWORD}', ''), ('{PASSWORD}', '')", StoreRefused),
        ("SELECT pg_terminate_backend(pg_backend_pid())", StoreAway),
        ("SELECT pg_terminate_backend(pg_backend_pid()) ;; SELECT 1", StoreAway),
    ],
)
def test_what_goes_wrong_in_a_session_is_said(shared: TeamDatabase, statement: str, error: type[StoreError]) -> None:
    owner = connect(shared.owner, shared.owner_password, timeout=2, entry_seconds=60)
    owner.execute(
        "SELECT set_config('scrubjay.profile', '1', FALSE), set_config('search_path', 'scrubjay_p1, scrubjay', FALSE)"
    )
    with contextlib.closing(owner), pytest.raises(StoreError) as failure:
        for part in statement.split(" ;; "):
            with translated(shared.owner):
                owner.execute(part.encode())
    assert type(failure.value) is error
    _tells_no_secret(failure.value)


def test_a_server_that_is_not_there_or_says_nothing_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(StoreAway) as failure:
            connect(ServerAddress("127.0.0.1", port, "notes", "anna"), PASSWORD, timeout=2)
        _tells_no_secret(failure.value)
    with pytest.raises(StoreAway, match=str(port)):
        connect(ServerAddress("127.0.0.1", port, "notes", "anna"), PASSWORD, timeout=2)


def test_a_program_at_the_servers_port_gets_no_password() -> None:
    heard: list[bytes] = []

    def ask_for_it(connection: socket.socket) -> None:
        if connection.recv(8) == SSL_REQUEST:
            connection.sendall(b"N")
            connection.recv(1024)
        connection.sendall(b"R" + struct.pack("!ii", 8, 3))  # AuthenticationCleartextPassword
        while data := connection.recv(1024):
            heard.append(data)

    with _listening(ask_for_it) as port, pytest.raises(StoreError) as failure:
        connect(ServerAddress("127.0.0.1", port, "notes", "anna"), PASSWORD, timeout=60)
    assert PASSWORD.encode() not in b"".join(heard)
    _tells_no_secret(failure.value)


@pytest.mark.parametrize(
    ("certified", "trusted", "proven"),
    [
        ("127.0.0.1", "the same", True),
        ("127.0.0.1", "another", False),
        ("db.example.org", "the same", False),
        (None, "the same", False),
    ],
    ids=["right", "unknown-root", "another-name", "no-tls"],
)
def test_only_a_server_whose_certificate_holds_is_talked_to(
    tmp_path: Path, certified: str | None, trusted: str, proven: bool
) -> None:
    certificate = _certificate(tmp_path / "server.pem", certified or "127.0.0.1")
    root = certificate if trusted == "the same" else _certificate(tmp_path / "other.pem", "127.0.0.1")
    heard: list[bytes] = []

    def answer(connection: socket.socket) -> None:
        assert connection.recv(8) == SSL_REQUEST
        if certified is None:
            connection.sendall(b"N")
            return
        connection.sendall(b"S")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        with contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as secure:
            heard.append(secure.recv(1024))

    with _listening(answer) as port:
        address = ServerAddress.parse(
            f"postgresql://anna@127.0.0.1:{port}/notes?sslmode=verify-full&sslrootcert={root}"
        )
        with pytest.raises(StoreAway) as failure:
            connect(address, PASSWORD, timeout=60)
    assert ("did not prove which server it is" in str(failure.value)) is not proven
    assert (b"anna" in b"".join(heard)) is proven
    _tells_no_secret(failure.value)


def _tells_no_secret(error: BaseException) -> None:
    assert PASSWORD not in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__


@contextlib.contextmanager
def _listening(answer: Callable[[socket.socket], None]) -> Generator[int]:
    """A port of this machine where each connection is answered by a function."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    with connection:
                        answer(connection)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def _certificate(path: Path, name: str) -> Path:
    """A file with a key and a certificate for a name or an address, which is its own root."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    try:
        alternative: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        alternative = x509.DNSName(name)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(secret + made.public_bytes(Encoding.PEM))
    return path
