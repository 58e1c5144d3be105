"""What is learned from, and what is asked in a drafted question, has been through the credential filter."""

from pathlib import Path

from scrubjay.daemon.cli.notes.evaluate import as_lines, draft
from scrubjay.daemon.engine.tuning import usable_names
from scrubjay.profiles.store.query_matrices import names_of
from scrubjay.profiles.store.store import Store
from tests.helpers.indexed_vault import index_vault

SECRET = "ghp_" + "k7Tq2ZxW9mB4vN8rJ1cL" + "5sD3fG6hY0pA2eQw"


def test_no_credential_in_a_name_is_learned_from_or_asked(store: Store, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Weir.md").write_text(
        f"---\naliases: [sluice keeper, token {SECRET}]\n---\n# Weir\n\n## Key {SECRET} here\n\nwater\n",
        encoding="utf-8",
    )
    (vault / "Log.md").write_text(f"[[Weir|our {SECRET} place]] and [[Weir|the old gate]]", encoding="utf-8")
    index_vault(store, vault)
    assert sorted(name.text for name in usable_names(store)) == ["sluice keeper", "the old gate"]
    told = as_lines(draft(store, 20)) + repr(list(names_of(store))).encode()
    assert b"sluice keeper" in told
    assert SECRET.encode() not in told
