"""What a user decides about a credential in a file holds there, as it does in a note."""

from pathlib import Path

from scrubjay.daemon.engine.credential_decisions import CredentialPlace, decide
from scrubjay.profiles.store import reads
from tests.helpers.made_files.pdf import Pdf
from tests.helpers.waiting import until
from tests.integration.engine.living import Living, living

PASSWORD = "Kestrel-" + "4471-Vx"


def texts(alive: Living) -> str:
    chunks = (alive.store.read(reads.note_chunks, note.note_id) for note in alive.store.read(reads.recent))
    return "\n".join(chunk.text for found in chunks for chunk in found)


def test_a_value_that_is_allowed_stands_in_the_file_and_is_hidden_again_when_that_is_taken_back(tmp_path: Path) -> None:
    with living(tmp_path) as alive:
        alive.write("keys.pdf", Pdf(["one", f"The password: {PASSWORD}"]).bytes())
        alive.engine.files.start()
        until(lambda: "REDACTED" in texts(alive))
        profile = alive.engine.open_profiles.named("notes").profile
        [found] = alive.store.read(reads.redactions)
        place = CredentialPlace(found.vault, found.path, found.line, found.column)
        [allowed] = decide(alive.engine, profile, place, "allowed", in_background=True)
        assert (allowed.standing, allowed.place) == ("allowed", "2")
        until(lambda: PASSWORD in texts(alive))
        decide(alive.engine, profile, place, "open", in_background=True)
        until(lambda: PASSWORD not in texts(alive))
