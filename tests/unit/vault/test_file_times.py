"""Time stamps of files, as they can be kept."""

import os
from types import SimpleNamespace
from typing import cast

import pytest

from scrubjay.daemon.vault.read import changed_ns, modified_ns


@pytest.mark.parametrize(
    ("stamp", "kept"),
    [
        pytest.param(1_700_000_000_123_456_789, 1_700_000_000_123_456_789, id="an-ordinary-day"),
        pytest.param(0, 0, id="1970"),
        pytest.param(-1, -1, id="1969"),
        pytest.param(-11_644_473_600 * 10**9, -(2**63), id="1601-the-zero-of-ntfs"),
        pytest.param(15_000_000_000 * 10**9, 2**63 - 1, id="2445"),
        pytest.param(2**63 - 1, 2**63 - 1, id="the-last"),
        pytest.param(2**63, 2**63 - 1, id="one-more"),
    ],
)
def test_a_stamp_fits_into_64_bits(stamp: int, kept: int) -> None:
    stats = cast("os.stat_result", SimpleNamespace(st_mtime_ns=stamp, st_ctime_ns=stamp))
    assert modified_ns(stats) == kept
    assert changed_ns(stats) == (kept if os.name == "posix" else 0)
