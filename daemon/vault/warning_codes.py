"""Codes of what a scan warns of, for those who read them in a reply and scan nothing."""

EXCLUDES_NOTHING, HARD_LINKS = "excludes-nothing", "hard-links"
WARNINGS = frozenset({EXCLUDES_NOTHING, HARD_LINKS})
"""The codes of these warnings, among those of problems that do leave something out."""
