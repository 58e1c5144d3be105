"""Text in, redacted text and findings out."""

from scrubjay.credential_filter.engine import redact, redact_many, redact_text
from scrubjay.credential_filter.findings import MARK, MARK_START, Finding, Redacted, values_of
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
    "redact",
    "redact_many",
    "redact_text",
    "value_digest",
    "values_of",
]
