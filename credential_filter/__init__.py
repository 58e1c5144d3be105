"""Text in, redacted text and findings out."""

from credential_filter.engine import redact
from credential_filter.findings import Finding, Redacted
from credential_filter.loader import RuleError, load_rules
from credential_filter.rules import BUILT_IN, Rules

__all__ = ["BUILT_IN", "Finding", "Redacted", "RuleError", "Rules", "load_rules", "redact"]
