"""After `scrubjay uninstall --purge` nothing is left of a downloaded model, nor of an API key; backups stay."""

from pathlib import Path

from scrubjay.daemon.models.installed import BUNDLED
from scrubjay.daemon.server.endpoints.profiles import BACK_UP_PROFILE, LIST_PROFILES, ProfileId
from tests.helpers.file_keyring import kept_in
from tests.helpers.installation import Installation
from tests.integration.models.model_hub import model_hub

NAME = "sentence-transformers/all-MiniLM-L6-v2"
REPO = "Qdrant/all-MiniLM-L6-v2-onnx"  # where fastembed has it from
FILES = ("config.json", "model.onnx", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json")


def test_a_downloaded_model_goes_with_all_that_its_library_put_beside_it(tmp_path: Path) -> None:
    stored = {name: (BUNDLED.path or Path()) / name for name in FILES}
    with model_hub(REPO, stored) as (hub, _):
        installation = Installation(tmp_path, {"HF_ENDPOINT": hub, "HF_HUB_DISABLE_XET": "1", "HOME": str(tmp_path)})
        installation.run("model", "download", NAME)
    assert list(installation.home.cache.iterdir())
    installation.run("uninstall", "--purge", "--yes")
    assert list(tmp_path.iterdir()) == []


def test_the_key_of_a_language_model_goes(tmp_path: Path) -> None:
    kept = tmp_path / "keyring.json"
    path = {"PYTHONPATH": str(Path(__file__).parents[3])}
    installation = Installation(tmp_path / "it", {**kept_in(kept), **path, "HOME": str(tmp_path)})
    address = "http://127.0.0.1:11434/v1"
    installation.run("llm", "use", address, "--model", "tiny", "--key", standard_input="k-1234\n")
    assert "k-1234" in kept.read_text()
    installation.run("uninstall", "--purge", "--yes")
    assert "k-1234" not in kept.read_text()


def test_backups_that_the_user_made_stay_and_are_named_until_they_are_told_to_go(tmp_path: Path) -> None:
    installation = Installation(tmp_path, {"HOME": str(tmp_path)})
    installation.write({"Heron.md": "A heron."})
    installation.create_profile()
    with installation.daemon() as client:
        profile = client.ask(LIST_PROFILES).profiles[0]
        made = Path(client.ask(BACK_UP_PROFILE, ProfileId(profile_id=profile.id)).file)
    before = made.read_bytes()
    done = installation.run("uninstall", "--purge", "--yes")
    assert str(made.parent) in done.stdout
    assert "--backups deletes them" in done.stdout
    assert "did not make" not in done.stdout + done.stderr
    assert {path for path in installation.home.data.rglob("*") if path.is_file()} == {made}
    assert made.read_bytes() == before
    installation.run("uninstall", "--purge", "--backups", "--yes")
    assert not (tmp_path / "home").exists()
