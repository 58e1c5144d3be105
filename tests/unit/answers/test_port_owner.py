"""A port of this computer may be anybody's: what a model is sent goes to no other person."""

from pathlib import Path

import pytest

from scrubjay.daemon.answers.model_connection import NotReached, models_at
from scrubjay.daemon.answers.model_server import server_of, taken_by_another
from scrubjay.daemon.answers.port_owner import stranger_at
from scrubjay.daemon.settings import Llm
from tests.helpers.stranger import strangers_port

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
PORT = 11_434
V6 = "00000000000000000000000000000000"


def table(folder: Path, address: str, *, state: str = "0A", owner: int = 1001, port: int = PORT) -> tuple[Path, ...]:
    there = folder / "tcp"
    there.write_text(
        f"{HEAD}   0: {address}:{port:04X} 00000000:0000 {state} 00000000:00000000 00:00000000 00000000  {owner}"
        "        0 4711 1 0000000000000000 100 0 0 10 0\n"
    )
    return (there, folder / "none")


@pytest.mark.parametrize(
    ("address", "changed", "expected"),
    [
        ("0100007F", {}, 1001),
        ("00000000", {}, 1001),
        (V6, {}, 1001),
        ("00000000000000000000000001000000", {}, 1001),
        ("0000000000000000FFFF00000100007F", {}, 1001),
        ("0100007F", {"owner": 1000}, None),  # the user's own
        ("0100007F", {"owner": 0}, None),
        ("0100007F", {"owner": 998}, None),  # a service of the system
        ("0100007F", {"owner": 65534}, 65534),
        ("0100007F", {"state": "01"}, None),  # a connection
        ("0100007F", {"port": 80}, None),
        ("0501A8C0", {}, None),  # at the network's address alone
    ],
)
def test_a_listener_is_a_stranger_where_it_is_another_persons(
    tmp_path: Path, address: str, changed: dict[str, int], expected: int | None
) -> None:
    assert stranger_at(PORT, table(tmp_path, address, **changed), own=1000) == expected  # type: ignore[arg-type]


def test_where_the_system_tells_nothing_nobody_is_accused(tmp_path: Path) -> None:
    assert stranger_at(PORT, (tmp_path / "none",)) is None


def test_a_port_that_another_person_has_is_sent_nothing() -> None:
    with strangers_port() as taken:
        taken.settimeout(0.2)
        server = server_of(Llm(url=f"http://127.0.0.1:{taken.getsockname()[1]}/v1", model="m"))
        assert "another user of this computer (user id 1234)" in taken_by_another(server)
        with pytest.raises(NotReached, match="Nothing was sent"):
            models_at(server)
        with pytest.raises(TimeoutError):
            taken.accept()
    assert taken_by_another(server) == ""
