"""What the certificate of redaction plants, and how it looks for it."""

from scrubjay.credential_filter import redact
from scrubjay.credential_filter.rules.rule import shipped_rules
from scrubjay.daemon.doctor.certificate import PlantedSecret, Traces, known_kinds, planted_secrets


def test_every_build_is_asked_for_every_kind_that_is_always_on() -> None:
    assert known_kinds() == tuple(rule.id for rule in shipped_rules() if not rule.group)


def test_a_planted_secret_is_found_where_it_is_and_not_where_the_filter_was() -> None:
    planted = tuple(planted_secrets())
    traces = Traces([secret for secret, _ in planted])
    assert [secret.note for secret, text in planted if secret.kind not in traces.kinds_in(text.encode())] == []
    assert [secret.note for secret, text in planted if traces.kinds_in(redact(text).text.encode())] == []


def test_a_secret_is_found_in_any_case_and_only_where_all_of_it_is() -> None:
    traces = Traces(
        [PlantedSecret("pair", "a.md", ("Heron-4711", "weir-0815")), PlantedSecret("one", "b.md", ("eel-pass",))]
    )
    assert traces.kinds_in(b"xHERON-4711, then weir-0815x") == ("pair",)
    assert traces.kinds_in(b"heron-4711 and an EEL-pass") == ("one",)
    assert traces.kinds_in(b"") == ()
