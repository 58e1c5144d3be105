"""Every layout that secrets are written in, indexed as one vault: none is stored or said, however it is folded."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pytest
from ahocorasick_rs import BytesAhoCorasick

from scrubjay.credential_filter import redact
from scrubjay.daemon.server.endpoints.journal import RECALL, REMEMBER, JournalAsk, RecallAsk
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.server.endpoints.upkeep import HISTORY
from tests.helpers.installation import Installation, wait_until_indexed
from tests.unit.credential_filter.test_layouts import BEFORE, BLOCKS, CODE, LINES, WITHOUT_SPACES, fits, passwords

EVAL = os.environ.get("SCRUBJAY_EVAL") or None
SHORTEST = 8  # bytes; a shorter secret stands in a database by chance
TOLD = 60  # of the texts are told to the journal and searched for, too
LONGEST = 1800  # seconds for the words of all cases to be read by the model, on a machine with other work
Case = tuple[str, list[str]]


def made() -> Iterator[Case]:
    """Each layout of the filter's own tests, with two kinds of passwords by turns."""
    kinds = list(passwords().values())
    for number, layout in enumerate((*LINES, *BLOCKS, *BEFORE, *WITHOUT_SPACES)):
        for password in (kinds[number % len(kinds)], kinds[(number + 4) % len(kinds)]):
            if fits(layout, password):
                yield layout.format(a="Password", p=password), [password]
    for layout in CODE:
        yield layout.format(p=passwords()["letters and digits"]), [passwords()["letters and digits"]]


def labelled() -> Iterator[Case]:
    """The cases below $SCRUBJAY_EVAL."""
    for file in ("layouts/layouts.jsonl", "credentials/cases.jsonl", "credentials/notes_ctx.jsonl"):
        for line in (Path(EVAL or "") / file).read_text("utf-8").splitlines():
            case = json.loads(line)
            yield case["text"], case.get("secrets") or []


def folded(text: str) -> bytes:
    """As the index folds what it reads: letters of other blocks as those that they are, in lower case."""
    return unicodedata.normalize("NFKC", text).lower().encode("utf-8", "replace")


def traces(cases: Iterable[Case]) -> list[bytes]:
    """The lines of the secrets, folded, that the filter hides wherever they stand."""
    shown = b"\n".join(folded(redact(text).text) for text, _ in cases)
    lines = {folded(line.strip()) for _, secrets in cases for secret in secrets for line in secret.splitlines()}
    wanted = sorted(line for line in lines if len(line) >= SHORTEST)
    leaked = {wanted[found[0]] for found in BytesAhoCorasick(wanted).find_matches_as_indexes(shown, overlapping=True)}
    return [line for line in wanted if line not in leaked]


def leaks(wanted: list[bytes], places: Iterable[tuple[str, bytes]]) -> list[str]:
    """The places in which one of them stands, as it is or once it is folded."""
    automaton = BytesAhoCorasick(wanted)
    return [
        name
        for name, held in places
        for form in (held.lower(), folded(held.decode("utf-8", "ignore")))
        if automaton.find_matches_as_indexes(form)
    ]


def index_and_ask(root: Path, cases: list[Case]) -> list[tuple[str, bytes]]:
    """All that is on disk, and all that was answered, when the cases are a vault and some are told and searched for."""
    place = Installation(root)
    place.write({f"note {number}.md": text.encode("utf-8", "replace") for number, (text, _) in enumerate(cases)})
    place.create_profile()
    said: list[bytes] = []
    with place.daemon() as client:
        wait_until_indexed(client, LONGEST)
        for text, _ in cases[:: max(1, len(cases) // TOLD)]:
            said.append(msgspec.json.encode(client.ask(REMEMBER, JournalAsk(text=text))))
            query = text.encode("utf-8", "replace").decode()[:400]
            said.append(msgspec.json.encode(client.ask(SEARCH, SearchAsk(query=query, limit=20)).results))
        said.append(msgspec.json.encode(client.ask(SEARCH, SearchAsk(query="password", limit=100)).results))
        said.append(msgspec.json.encode(client.ask(RECALL, RecallAsk(query="password"))))
        said.append(msgspec.json.encode(client.ask(HISTORY)))
    places = [*place.everything_written().items(), *((f"reply {number}", reply) for number, reply in enumerate(said))]
    assert any(name.endswith(".sqlite3") for name, _ in places)
    return places


def test_no_password_in_a_layout_of_ours_is_stored_or_said(tmp_path: Path) -> None:
    cases = list(made())
    wanted = traces(cases)
    assert len(wanted) == len(passwords())
    assert leaks(wanted, index_and_ask(tmp_path, cases)) == []


@pytest.mark.slow
@pytest.mark.skipif(EVAL is None, reason="needs the labelled data below $SCRUBJAY_EVAL")
def test_no_secret_of_the_labelled_cases_is_stored_or_said(tmp_path: Path) -> None:
    cases = list(labelled())
    wanted = traces(cases)
    assert len(wanted) > 4_000
    assert leaks(wanted, index_and_ask(tmp_path, cases)) == []
