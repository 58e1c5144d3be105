"""Every error on the wire, in one shape: problem details of RFC 9457 with a stable `code`.

Nothing of the request, the notes, the file system or the program's insides goes into a problem: a validation error
names the field and the rule, never the value.
"""

import logging
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from scrubjay.daemon.errors import disk_error_text
from scrubjay.daemon.server.access.admission import Refusal
from scrubjay.daemon.server.access.caller import may_manage
from scrubjay.daemon.server.access.shown_places import InstallationFolders
from scrubjay.profiles.errors import ProfileError, ScrubjayError

MEDIA_TYPE = "application/problem+json"
_PROFILE_STATUS = {
    "profile-not-found": 404,
    "profile-exists": 409,
    "invalid-profile": 400,
    "store-locked": 423,
    "wrong-passphrase": 423,
    "store-busy": 503,
    "store-held": 503,
    "store-changing": 503,
    "store-closed": 503,
    "journal-full": 409,
    "store-read-only": 403,
    "store-key-changed": 403,
}
_HTTP_CODES = {  # what the framework itself refuses
    400: ("bad-request", "The request can't be understood."),
    401: ("unauthenticated", "A token is needed: Authorization: Bearer sj_…."),
    403: ("forbidden", "This client may not do that."),
    404: ("not-found", "There is nothing here."),
    405: ("method-not-allowed", "This method is not allowed here."),
    413: ("body-too-large", "The body is larger than is accepted."),
    415: ("unsupported-media-type", "A body must be application/json in UTF-8, without any encoding."),
    429: ("too-many-requests", "Too many requests. Wait a moment."),
    503: ("busy", "Too many requests at once. Try again in a moment."),
}
_RETRY_AFTER = {429: "60", 503: "1"}  # seconds
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,40}", re.ASCII)
_FIELD_PATH = re.compile(rf"{_FIELD.pattern}(?:\.{_FIELD.pattern}|\[(?:\d{{1,6}}|\.\.\.)\])*", re.ASCII)
_PLACE = re.compile(r" - at `\$?(?P<place>[^`]*)`$")
_UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(?P<name>[^`]*)`")
_MISSING_FIELD = re.compile(r"Object missing required field `(?P<name>[^`]*)`")
_BOUND = re.compile(r"Expected `(?P<kind>\w+)` (?P<length>of length )?(?P<sign>[<>]=?) (?P<bound>-?[\d.]{1,20})")
_WRONG_KIND = re.compile(r"Expected `(?P<kinds>[\w| ]{1,60})`, got `\w+`")
_SIGNS = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than"}
_COUNTED = {"str": ("character", "characters"), "array": ("entry", "entries"), "object": ("field", "fields")}
_KINDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}

_log = logging.getLogger(__name__)


class Invalid(msgspec.Struct, frozen=True):
    """One field that can't be accepted."""

    field: str  # `query`, `profiles[0]`; empty for the body as a whole
    reason: str


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Problem details (RFC 9457). Programs switch on `code`, people read `detail`."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: tuple[Invalid, ...] = ()


def problem(code: str, status: int, detail: str, errors: tuple[Invalid, ...] = ()) -> Problem:
    """A problem with its derived members filled in."""
    title = HTTPStatus(status).phrase
    return Problem(
        type=f"urn:scrubjay:problem:{code}", title=title, status=status, detail=detail, code=code, errors=errors
    )


def of_refusal(refusal: Refusal) -> Problem:
    """What the door says."""
    return problem(refusal.code, refusal.status, refusal.message)


def of_error(error: Exception) -> Problem:
    """The one mapper: any exception, to what may be said of it."""
    match error:
        case ScrubjayError():
            found = problem(error.code, error.status, str(error))
        case ProfileError():
            found = problem(error.code, _PROFILE_STATUS.get(error.code, 500), str(error))
        case msgspec.ValidationError():
            invalid = _invalid(str(error))
            where = f"`{invalid.field}`: " if invalid.field else ""
            found = problem("invalid-request", 400, f"{where}{invalid.reason}", (invalid,))
        case msgspec.DecodeError() | UnicodeDecodeError() | RecursionError():
            found = problem("malformed-json", 400, "The body is not well-formed JSON in UTF-8, or nested too deeply.")
        case ValidationException():
            found = _of_parameters(error)
        case HTTPException():
            found = _of_status(error.status_code)
        case OSError(errno=number) if said := disk_error_text(OSError(number, "")):  # which file, the log says
            _log.error("the disk failed in a request", exc_info=error)
            found = problem("disk-error", 500, said)
        case _:
            _log.error("unexpected error in a request", exc_info=error)
            found = problem("internal", 500, "Something went wrong in Scrubjay. The log says more.")
    return found


def respond(problem: Problem) -> tuple[bytes, dict[str, str]]:
    """Body and headers of a problem."""
    headers = {"content-type": MEDIA_TYPE}
    if wait := _RETRY_AFTER.get(problem.status):
        headers["retry-after"] = wait
    if problem.status == 401:
        headers["www-authenticate"] = "Bearer"
    return msgspec.json.encode(problem), headers


def told_to(scope: Any, error: Exception, places: InstallationFolders) -> Problem:
    """The problem as this request's sender may know it: where files lie is for managers."""
    found = of_error(error)
    if may_manage(scope):
        return found
    return msgspec.structs.replace(found, detail=places.left_out_of(found.detail))


def handler(places: InstallationFolders) -> Callable[[Request[Any, Any, Any], Exception], Response[bytes]]:
    """The handler that every exception of every route goes through. places: of files that only managers are told."""

    def handle(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
        return _response(told_to(request.scope, error, places), error)

    return handle


def _response(found: Problem, error: Exception) -> Response[bytes]:
    body, headers = respond(found)
    if isinstance(error, HTTPException) and error.headers and "Allow" in error.headers:
        headers["allow"] = error.headers["Allow"]
    return Response(body, status_code=found.status, headers=headers, media_type=MEDIA_TYPE)


def _of_status(status: int) -> Problem:
    code, detail = _HTTP_CODES.get(status, (f"http-{status}", HTTPStatus(status).phrase))
    return problem(code, status, detail)


def _of_parameters(error: ValidationException) -> Problem:
    """A query parameter that is missing or can't be accepted."""
    details: list[dict[str, str]] = error.extra if isinstance(error.extra, list) else []
    errors = tuple(
        Invalid(_safe_field(detail.get("key", "")), _safe_reason(detail.get("message", ""))) for detail in details
    )
    if any(invalid.field == "data" for invalid in errors):
        return problem("malformed-json", 400, "A body of JSON is needed.")
    names = ", ".join(f"`{invalid.field}`" for invalid in errors if invalid.field) or "a parameter"
    return problem("invalid-request", 400, f"The request can't be accepted: {names} is missing or wrong.", errors)


def _invalid(message: str) -> Invalid:
    place = _PLACE.search(message)
    field = _safe_field(place["place"].removeprefix(".")) if place else ""
    return Invalid(field, _safe_reason(_PLACE.sub("", message)))


def _safe_field(name: str) -> str:
    """A field's place if it looks like one; JSON keys are the sender's text, too."""
    return name if _FIELD_PATH.fullmatch(name) and len(name) <= 60 else ""


def _safe_reason(message: str) -> str:
    """What the parser says, in our words and without the value that it quotes."""
    if unknown := _UNKNOWN_FIELD.match(message):
        name = unknown["name"]
        return (
            f"there is no field `{name}` here" if _FIELD.fullmatch(name) else "there is a field that is not known here"
        )
    if message.startswith("Invalid enum value"):
        return "is none of the allowed values"
    if "matching regex" in message:
        return "holds a character that is not allowed here"
    return _rule(message) or message.split("\n", maxsplit=1)[0]


def _rule(message: str) -> str:
    """What a field has to be; "" where the message is of another kind."""
    if missing := _MISSING_FIELD.fullmatch(message):  # a name of ours
        return f"`{missing['name']}` is needed"
    if wrong := _WRONG_KIND.fullmatch(message):
        return f"has to be {' or '.join(_KINDS.get(kind, kind) for kind in wrong['kinds'].split(' | '))}"
    bound = _BOUND.fullmatch(message)
    if bound is None:
        return ""
    counted = f"{_SIGNS[bound['sign']]} {bound['bound']}"
    if not bound["length"]:
        return f"has to be {counted}"
    one, several = _COUNTED[bound["kind"]]
    return f"has to have {counted} {one if bound['bound'] == '1' else several}"
