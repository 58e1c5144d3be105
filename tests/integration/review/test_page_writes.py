"""Who may have notes written over the API: the page of the user who owns the installation, and no token."""

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoint import Nothing
from scrubjay.daemon.server.endpoints.review import REVIEW_RUNS, REVIEW_UNDO, REVIEW_WRITE, UndoAsk, WriteAsk
from scrubjay.daemon.transport import ApiError
from tests.helpers.installation import Installation, wait_until_indexed


def test_no_token_has_a_note_written(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = Installation(tmp_path_factory.mktemp("writes"))
    made.write({"Heron.md": "The heron stands at the weir."})
    made.create_profile("notes")
    with made.daemon() as client:
        wait_until_indexed(client)
        for ask in (_write, _runs, _undo):
            with pytest.raises(ApiError) as refused:
                ask(client)
            assert refused.value.status == 403


def _write(client: ScrubjayClient) -> None:
    client.ask(REVIEW_WRITE, WriteAsk(keys=("0" * 32,)))


def _runs(client: ScrubjayClient) -> None:
    client.ask(REVIEW_RUNS, Nothing())


def _undo(client: ScrubjayClient) -> None:
    client.ask(REVIEW_UNDO, UndoAsk(run="abcd1234"))
