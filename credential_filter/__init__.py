"""Text in, redacted text and findings out."""

from scrubjay.credential_filter.engine import redact
from scrubjay.credential_filter.findings import Finding, Redacted
from scrubjay.credential_filter.loader import RuleError, load_rules
from scrubjay.credential_filter.rules import BUILT_IN, Rules

__all__ = ["BUILT_IN", "Finding", "Redacted", "RuleError", "Rules", "load_rules", "redact"]
