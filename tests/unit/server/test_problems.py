"""Every error has one shape, and nothing of the request or the program's insides is in it."""

import errno
import json

import msgspec
import pytest
from litestar.exceptions import HTTPException, ValidationException

from scrubjay.daemon.server.access import admission, problems
from scrubjay.daemon.server.access.admission import BUSY, NO_CREDENTIAL, THROTTLED
from scrubjay.daemon.server.endpoints.search import SearchAsk
from scrubjay.profiles.errors import ProfileNotFound, StoreBusy, StoreError, StoreLocked, UsageError


def decoding_error(body: str) -> Exception:
    try:
        msgspec.json.decode(body, type=SearchAsk)
    except msgspec.MsgspecError as error:
        return error
    raise AssertionError(body)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (UsageError("A query has at most 5 characters."), 400, "usage"),
        (ProfileNotFound("gone"), 404, "profile-not-found"),
        (StoreLocked("locked"), 423, "store-locked"),
        (StoreBusy("busy"), 503, "store-busy"),
        (StoreError("broken"), 500, "store-error"),
        (decoding_error('{"query"'), 400, "malformed-json"),
        (decoding_error('{"query": 1}'), 400, "invalid-request"),
        (HTTPException(status_code=404), 404, "not-found"),
        (HTTPException(status_code=418), 418, "http-418"),
        (ValidationException(extra=[{"key": "limit", "message": "Expected `int`"}]), 400, "invalid-request"),
        (ValidationException(extra=[{"key": "my secret", "message": "Expected `int`"}]), 400, "invalid-request"),
        (ValidationException(extra=[{"key": "data", "message": "'data'"}]), 400, "malformed-json"),
        (RecursionError(), 400, "malformed-json"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), 400, "malformed-json"),
        (OSError(errno.ENOSPC, "no space", "/home/user/my secret"), 500, "disk-error"),
        (OSError(errno.ECHILD, "my secret"), 500, "internal"),
        (RuntimeError("/home/user/Vault/Diary.md: my secret"), 500, "internal"),
        (KeyError("my secret"), 500, "internal"),
    ],
)
def test_the_one_mapper(error: Exception, status: int, code: str) -> None:
    found = problems.of_error(error)
    assert (found.status, found.code) == (status, code)
    assert found.type == f"urn:scrubjay:problem:{code}"
    assert found.title
    assert found.detail
    assert "my secret" not in msgspec.json.encode(found).decode()


@pytest.mark.parametrize(
    "body",
    [
        '{"query": "x", "mode": "my secret"}',
        '{"query": "x", "my secret": 1}',
        '{"query": "x", "mysecret.mysecret[my secret]": 1}',
        '{"query": "x", "profiles": "my secret"}',
        '{"query": ["my secret"]}',
        '{"query": "my secret\\u0000"}',
        '"my secret"',
        "my secret",
    ],
)
def test_values_and_odd_names_of_a_body_are_not_repeated(body: str) -> None:
    found = problems.of_error(decoding_error(body))
    assert found.status == 400
    assert "my secret" not in msgspec.json.encode(found).decode()


@pytest.mark.parametrize(
    ("body", "field", "reason"),
    [
        ('{"query": "x", "limit": "5"}', "limit", "has to be a whole number"),
        ('{"query": "x", "mode": "fuzzy"}', "mode", "is none of the allowed values"),
        ('{"query": "x", "limitt": 5}', "", "there is no field `limitt` here"),
        ('{"query": "x", "profiles": [5]}', "profiles[0]", "has to be text"),
        ('{"query": "x", "limit": 5000}', "limit", "has to be at most 1000"),
        ('{"query": "x", "limit": 0}', "limit", "has to be at least 1"),
        ('{"query": "x", "profiles": []}', "profiles", "has to have at least 1 entry"),
        (json.dumps({"query": "x", "profiles": ["p" * 61]}), "profiles[0]", "has to have at most 60 characters"),
        ('{"query": "x", "context": null}', "context", "has to be a whole number"),
        ("{}", "", "`query` is needed"),
    ],
)
def test_a_problem_names_the_field_and_the_rule(body: str, field: str, reason: str) -> None:
    found = problems.of_error(decoding_error(body))
    assert found.errors == (problems.Invalid(field, reason),)


@pytest.mark.parametrize(
    ("refusal", "header", "value"),
    [(NO_CREDENTIAL, "www-authenticate", "Bearer"), (THROTTLED, "retry-after", "60"), (BUSY, "retry-after", "1")],
)
def test_what_to_do_next_is_in_the_headers(refusal: admission.Refusal, header: str, value: str) -> None:
    _, headers = problems.respond(problems.of_refusal(refusal))
    assert headers[header] == value
    assert headers["content-type"] == "application/problem+json"
