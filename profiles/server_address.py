"""The address of a team's database, as `postgresql://anna@db.example.org/notes`: never with a password in it."""

import ipaddress
import re
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode

from scrubjay.profiles.errors import InvalidProfile

DEFAULT_PORT = 5432
_EXAMPLE = "Write it as postgresql://anna@db.example.org/notes."
_SHAPE = re.compile(
    r"postgres(?:ql)?://(?P<user>[^:@/?#]+)@(?P<host>\[[0-9A-Fa-f:.]+\]|[^:@/?#\[\]]*)(?::(?P<port>[0-9]{1,5}))?"
    r"/(?P<database>[^:@/?#]+)(?:\?(?P<query>[^#]+))?"
)
_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_OPTIONS = ("sslcert", "sslkey", "sslmode", "sslrootcert")


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a team's database is, and as whom to use it; `parse` reads what `str()` writes.

    `host` is a name, an IP address without brackets, or the folder of a socket, from the root on. `options` are what
    the address says of TLS, as libpq names it, ordered by name.
    """

    host: str
    port: int
    database: str
    user: str
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "ServerAddress":
        """What an address says. Raises InvalidProfile, whose message repeats nothing of the address."""
        # Whatever a password has in it (a slash, a question mark, an @), it is between a colon and an @.
        if ":" in text.partition("://")[2].rpartition("@")[0] or re.search(
            r"[?&](?:ssl)?password=", text, re.IGNORECASE
        ):
            raise InvalidProfile(
                "The server's address has a password in it, and an address is kept in a file. Leave the password out:"
                " Scrubjay asks for it, and keeps it in the system's keyring."
            )
        parts = _SHAPE.fullmatch(text)
        address = _address_of(parts) if parts is not None else None
        if address is None:
            raise InvalidProfile(f"This is no address of a database on a PostgreSQL server. {_EXAMPLE}")
        _refuse_weak(address)
        return address

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine: a socket, or an address that only this machine answers at."""
        if self.is_socket or self.host == "localhost":
            return True
        try:
            address = ipaddress.ip_address(self.host)
        except ValueError:
            return False
        return address in ipaddress.ip_network("127.0.0.0/8" if address.version == 4 else "::1/128")

    @property
    def place(self) -> tuple[str, int, str]:
        """The database, whoever uses it and however it is reached."""
        return self.host, self.port, self.database

    @property
    def is_socket(self) -> bool:
        """Whether `host` is the folder of a socket."""
        return self.host.startswith("/")

    @property
    def root(self) -> Path | None:
        """The file of the root certificate that the server's is checked with; None for those of the system."""
        named = dict(self.options).get("sslrootcert")
        return None if named in (None, "system") else Path(named)

    def with_root(self, path: Path | None) -> "ServerAddress":
        """The same with another root, and without the files that prove who somebody is (`sslcert`, `sslkey`)."""
        kept = {name: value for name, value in self.options if name == "sslmode"}
        if path is not None:
            kept["sslrootcert"] = str(path)
        return replace(self, options=tuple(sorted(kept.items())))

    @property
    def sslmode(self) -> str:
        """How TLS is used, in libpq's words: verify-full wherever another machine may answer."""
        return dict(self.options).get("sslmode", "prefer" if self.is_local else "verify-full")

    @property
    def server(self) -> str:
        """The server alone, for a sentence: "db.example.org", "db.example.org:5433" or a socket's folder."""
        return self.host if self.port == DEFAULT_PORT else f"{self._host}:{self.port}"

    @property
    def _host(self) -> str:
        return f"[{self.host}]" if ":" in self.host and not self.is_socket else self.host

    def __str__(self) -> str:
        host = "" if self.is_socket else self._host if ":" in self.host else quote(self.host, safe="")
        port = "" if self.port == DEFAULT_PORT else f":{self.port}"
        options = [("host", self.host), *self.options] if self.is_socket else self.options
        query = f"?{urlencode(options, safe='/', quote_via=quote)}" if options else ""
        return f"postgresql://{quote(self.user, safe='')}@{host}{port}/{quote(self.database, safe='')}{query}"


def _address_of(parts: re.Match[str]) -> ServerAddress | None:
    """The parts of an address decoded; None for what is no address."""
    try:
        user, host, database = (unquote(parts[name], errors="strict") for name in ("user", "host", "database"))
        pairs = parse_qsl(parts["query"] or "", keep_blank_values=True, strict_parsing=True, errors="strict")
        if parts["host"].startswith("["):
            host = str(ipaddress.IPv6Address(host[1:-1]))
    except ValueError:
        return None
    options = dict(pairs)
    if "host" in options:
        if host or not options["host"].startswith("/"):
            return None
        host = options.pop("host")
    port = int(parts["port"] or DEFAULT_PORT)
    said = (user, host, database, *options.values())
    # libpq reads a list of hosts where there is a comma.
    if not all(text and text.isprintable() for text in said) or "," in host or not 0 < port < 65536:
        return None
    return ServerAddress(host, port, database, user, tuple(sorted(options.items())))


def _refuse_weak(address: ServerAddress) -> None:
    """Raises InvalidProfile for options that are not known, and for TLS that does not say who answers."""
    if any(name not in _OPTIONS for name, _ in address.options):
        known = ", ".join(_OPTIONS)
        raise InvalidProfile(f"The server's address has an option that is none of {known}, host. Leave it out.")
    if address.sslmode not in _MODES or (not address.is_local and address.sslmode != "verify-full"):
        raise InvalidProfile(
            "Over a network Scrubjay talks to a server only where TLS proves which server it is: sslmode=verify-full,"
            " which is what holds where the address says nothing. For a certificate of your own, add"
            " `?sslrootcert=` and the path of the root's file."
        )
