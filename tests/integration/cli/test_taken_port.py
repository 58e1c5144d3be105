"""Another user's program at the port where the language model should answer is told of, by `status` as by `doctor`."""

import re
from pathlib import Path

from scrubjay.daemon.server.endpoints.status import STATUS
from tests.helpers.installation import Installation
from tests.helpers.stranger import STRANGER, strangers_port


def test_a_port_that_another_user_has_is_said_by_status_and_doctor(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    installation.create_profile("notes")
    with strangers_port() as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with installation.home.settings.open("a", encoding="utf-8") as settings:
            settings.write(f'[llm]\nurl = "http://{address}/v1"\nmodel = "m"\n')
        with installation.daemon() as client:
            told = client.ask(STATUS).taken_port
            assert told is not None
            assert (told.address, told.user) == (address, STRANGER)
            assert f"At {address}" in said(installation, "status")
            assert f"user id {STRANGER}" in said(installation, "status")
            assert f"user id {STRANGER}" in said(installation, "doctor")
            taken.close()
            assert client.ask(STATUS).taken_port is None
            assert "another user" not in said(installation, "status")


def said(installation: Installation, command: str) -> str:
    done = installation.run(command, check=False)
    return re.sub(r"\s+", " ", done.stdout + done.stderr)
