"""Text in, redacted text and findings out."""

from scrubjay.credential_filter.engine import redact
from scrubjay.credential_filter.findings import Finding, Redacted, values_of
from scrubjay.credential_filter.rules.loader import RuleError, load_rules
from scrubjay.credential_filter.rules.ruleset import BUILT_IN, Rules, value_digest
from scrubjay.credential_filter.together import redact_many, redact_text

__all__ = [
    "BUILT_IN",
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
