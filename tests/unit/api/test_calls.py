"""Calls as values: what they say, and that no id leads a call to another route."""

import pytest

from daemon.api import calls
from daemon.errors import UsageError


@pytest.mark.parametrize("wrong", ["../clients", "..", ".", "", "a/b", "a?x=1", "a#b", "a%2Fb", "é", "a b", "a\nb"])
def test_an_id_that_would_lead_elsewhere_is_refused_before_anything_is_sent(wrong: str) -> None:
    for call in (calls.note, calls.forget, calls.revoke_client, calls.remove_profile, calls.rotate_token):
        with pytest.raises(UsageError):
            call(wrong)
