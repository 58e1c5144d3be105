"""How the disk spells the folders that the allowlist names."""

import os
import unicodedata
from pathlib import Path

import pytest

from scrubjay.daemon.vault.paths import spellings

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a file system that tells Unicode forms apart")

COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "Café") for form in ("NFC", "NFD"))


@pytest.mark.parametrize(
    ("there", "named", "spelt"),
    [
        pytest.param(["Work"], "Work", {"Work"}, id="plain-letters"),
        pytest.param([COMPOSED], COMPOSED, {COMPOSED}, id="as-named"),
        pytest.param([DECOMPOSED], COMPOSED, {DECOMPOSED}, id="in-the-other-form"),
        pytest.param([COMPOSED, DECOMPOSED], COMPOSED, {COMPOSED, DECOMPOSED}, id="in-both"),
        pytest.param(
            [f"{DECOMPOSED}/{COMPOSED}/Work"],
            f"{COMPOSED}/{COMPOSED}/Work",
            {f"{DECOMPOSED}/{COMPOSED}/Work"},
            id="in-another-form-at-each-step",
        ),
        pytest.param([], COMPOSED, {COMPOSED}, id="not-there"),
        pytest.param([DECOMPOSED], f"{COMPOSED}/{COMPOSED}", {f"{COMPOSED}/{COMPOSED}"}, id="only-what-is-above-it"),
        pytest.param(["Cafe"], COMPOSED, {COMPOSED}, id="another-name"),
        pytest.param([], ".", {"."}, id="the-vault-itself"),
    ],
)
def test_spellings_of_a_folder(there: list[str], named: str, spelt: set[str], tmp_path: Path) -> None:
    for folder in there:
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    assert set(spellings(tmp_path, tmp_path / named)) == {tmp_path / path for path in spelt}
