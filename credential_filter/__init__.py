"""Text in, redacted text and findings out."""

from scrubjay.credential_filter.finders.detector import release_memory
from scrubjay.credential_filter.redact import (
    MARK,
    MARK_START,
    Finding,
    Redacted,
    mark_for,
    redact,
    redact_many,
    redact_text,
    spans_of,
    values_of,
)
from scrubjay.credential_filter.rules.loader import RuleError, load_rules
from scrubjay.credential_filter.rules.ruleset import BUILT_IN, Rules, value_digest

__all__ = [
    "BUILT_IN",
    "MARK",
    "MARK_START",
    "Finding",
    "Redacted",
    "RuleError",
    "Rules",
    "load_rules",
    "mark_for",
    "redact",
    "redact_many",
    "redact_text",
    "release_memory",
    "spans_of",
    "value_digest",
    "values_of",
]
