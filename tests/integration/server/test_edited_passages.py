"""An id that was cited leads to its note after the passage was edited, and says so."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scrubjay.daemon.client import ScrubjayClient
from scrubjay.daemon.server.endpoints.links import VERIFY, VERIFY_ANSWER, VerifyAnswerAsk, VerifyAsk
from scrubjay.daemon.server.endpoints.notes import CHUNK, CHUNKS, NOTE, ChunkAsk, ChunkReply, ChunksAsk, NoteAsk
from scrubjay.daemon.server.endpoints.read import CHANGES, READ, ChangesAsk, ChangesReply, ReadAsk
from scrubjay.daemon.server.endpoints.search import SEARCH, SearchAsk
from scrubjay.daemon.transport import ApiError
from tests.helpers.installation import Installation, wait_until_indexed

LAUNCH = "The launch of Kestrel is on the twentieth of January, as the board decided."
BUDGET = "The budget for the northern office was doubled in autumn."
TEXT = "# Kestrel\n\n## Launch\n\n{launch}\n\n## Budget\n\n{budget}\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Installation, ScrubjayClient]]:
    installation = Installation(tmp_path_factory.mktemp("edited"))
    installation.write({"Other.md": "Nothing of the kind.\n"})
    installation.create_profile()
    with installation.daemon() as client:
        wait_until_indexed(client)
        yield installation, client


def write(desk: tuple[Installation, ScrubjayClient], launch: str = LAUNCH, budget: str = BUDGET) -> None:
    desk[0].write({"Kestrel.md": TEXT.format(launch=launch, budget=budget)})
    desk[0].run("index", "--wait")


def cited(client: ScrubjayClient, query: str) -> ChunkReply:
    found = client.ask(SEARCH, SearchAsk(query=query, mode="lexical")).results[0]
    return client.ask(CHUNK, ChunkAsk(chunk_id=found.id))


def test_an_id_outlives_edits_of_its_passage_and_says_so(desk: tuple[Installation, ScrubjayClient]) -> None:
    installation, client = desk
    write(desk)
    old = cited(client, "launch Kestrel board")
    assert old.was == ""
    budget = cited(client, "budget northern office")
    now = old
    for number in range(3):
        write(desk, launch=f"{LAUNCH}\n" + "\n".join(f"Line {each} was added." for each in range(number + 1)))
        now = client.ask(CHUNK, ChunkAsk(chunk_id=old.id))
        assert (now.was, now.path) == (old.id, "Kestrel.md")
        assert now.id != old.id
        assert LAUNCH in now.text
        assert f"Line {number} was added." in now.text
        assert client.ask(CHUNK, ChunkAsk(chunk_id=old.id[:7])).id == now.id
    assert client.ask(CHUNK, ChunkAsk(chunk_id=now.id)).was == ""
    untouched = client.ask(CHUNK, ChunkAsk(chunk_id=budget.id))
    assert BUDGET in untouched.text
    several = client.ask(CHUNKS, ChunksAsk(ids=f"{old.id},{now.id},ffffffffffff"))
    assert [each.was for each in several.chunks] == [old.id, ""]
    assert several.missing == ("ffffffffffff",)
    assert client.ask(NOTE, NoteAsk(chunk_id=old.id)).path == "Kestrel.md"
    read = client.ask(READ, ReadAsk(notes=(f"#{old.id}",))).notes[0]
    assert (read.path, read.was) == ("Kestrel.md", old.id)
    assert client.ask(VERIFY, VerifyAsk(quote=LAUNCH, id=old.id)).verdict == "verified"
    answer = client.ask(VERIFY_ANSWER, VerifyAnswerAsk(text=f'The note says "{LAUNCH}" [#{old.id}].'))
    assert (answer.status, answer.unknown, answer.edited) == ("verified", (), (old.id,))
    said = installation.run("verify", "--id", old.id, LAUNCH, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


def test_an_id_of_a_passage_that_was_deleted_leads_to_what_stands_there_and_one_of_a_deleted_note_to_nothing(
    desk: tuple[Installation, ScrubjayClient],
) -> None:
    installation, client = desk
    write(desk)
    old = cited(client, "budget northern office")
    installation.write({"Kestrel.md": f"# Kestrel\n\n## Launch\n\n{LAUNCH}\n"})
    installation.run("index", "--wait")
    now = client.ask(CHUNK, ChunkAsk(chunk_id=old.id))
    assert (now.path, now.was) == ("Kestrel.md", old.id)
    Path(installation.vault / "Kestrel.md").unlink()
    installation.run("index", "--wait")
    with pytest.raises(ApiError) as gone:
        client.ask(CHUNK, ChunkAsk(chunk_id=old.id))
    assert gone.value.code == "chunk-not-found"


def test_of_two_notes_with_one_text_the_one_that_still_has_it_answers(
    desk: tuple[Installation, ScrubjayClient],
) -> None:
    installation, client = desk
    text = "A kingfisher nests under the second bridge."
    installation.write({"One.md": text, "Two.md": text})
    installation.run("index", "--wait")
    old = cited(client, "kingfisher nests bridge")
    installation.write({"One.md": f"{text} It was seen in May."})
    installation.run("index", "--wait")
    now = client.ask(CHUNK, ChunkAsk(chunk_id=old.id))
    assert (now.path, now.was, now.text) == ("Two.md", "", text)


def test_what_an_edit_brought_is_told_and_what_went_by_its_id_alone(desk: tuple[Installation, ScrubjayClient]) -> None:
    installation, client = desk
    rest = " The shutters are stiff and want two hands." * 16
    first = f"# Rota\n\n## Monday\n\n{{monday}}{rest}\n\n## Tuesday\n\nBo opens at eight.{rest}\n"
    installation.write({"Rota.md": first.format(monday="Ada opens at nine.")})
    installation.run("index", "--wait")
    long_ago = datetime.now(UTC) - timedelta(days=30)

    def new(since: datetime) -> ChangesReply:
        return client.ask(CHANGES, ChangesAsk(note="Rota.md", since=since))

    assert (new(long_ago).passages, new(long_ago).gone, new(long_ago).kept) == ((), (), 2)
    installation.write({"Rota.md": first.format(monday="Cy opens at ten.")})
    installation.run("index", "--wait")
    (monday,) = new(long_ago).passages
    assert (monday.text[:16], monday.headings[-1], new(long_ago).kept) == ("Cy opens at ten.", "Monday", 1)
    assert new(datetime.now(UTC) + timedelta(hours=1)).passages == ()
    tuesday = cited(client, "Bo opens at eight")
    now = datetime.now(UTC)
    installation.write({"Rota.md": f"# Rota\n\n## Monday\n\nCy opens at ten.{rest}\n"})
    installation.run("index", "--wait")
    assert (new(now).passages, new(now).gone, new(now).kept) == ((), (tuesday.id,), 1)
    with pytest.raises(ApiError, match="called so"):
        client.ask(CHANGES, ChangesAsk(note="*.md", since=long_ago))


def test_a_note_that_is_dated_since_then_is_new_as_a_whole(desk: tuple[Installation, ScrubjayClient]) -> None:
    installation, client = desk
    installation.write({"2026-03-14.md": "Met Ada.\n", "Trip.md": "---\ncreated: 2026-03-10\n---\nWent north.\n"})
    installation.run("index", "--wait")

    def new(note: str, day: int) -> tuple[list[str], int]:
        found = client.ask(CHANGES, ChangesAsk(note=note, since=datetime(2026, 3, day).astimezone()))
        return [passage.text for passage in found.passages], found.kept

    assert new("2026-03-14.md", 14) == (["Met Ada."], 0)
    assert new("Trip.md", 9) == (["Went north."], 0)
    assert new("Trip.md", 11) == ([], 1)
    said = installation.run("changes", "Trip.md", "--since", "2026-03-11", check=False)
    assert "1 as before or as first read" in said.stderr + said.stdout
