"""The errors that Scrubjay itself raises, with the words a person reads.

ScrubjayError            code, HTTP status, message; subclasses live beside what they are about
├── UsageError           the request or command can't be understood
├── NotFound             nothing has this name or id
└── Unavailable          can't be answered now; the message says when or what to do
"""


class ScrubjayError(Exception):
    """Base of all. `code` is stable and kebab-case; `status` is the HTTP status that tells it best.

    The message says what happened, to what, and what to do. It holds no note text, query, token or secret.
    """

    code = "scrubjay-error"
    status = 500


class UsageError(ScrubjayError):
    """The request or command can't be understood."""

    code = "usage"
    status = 400


class NotFound(ScrubjayError):
    """Nothing has this name or id, or the caller may not know of it."""

    code = "not-found"
    status = 404


class Unavailable(ScrubjayError):
    """It can't be answered now."""

    code = "unavailable"
    status = 503
