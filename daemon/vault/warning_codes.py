"""Codes of what a look at the vaults warns of, for those who read them in a reply and look at nothing themselves."""

EXCLUDES_NOTHING, HARD_LINKS, NOTES_MISSING = "excludes-nothing", "hard-links", "notes-missing"
WARNINGS = frozenset({EXCLUDES_NOTHING, HARD_LINKS, NOTES_MISSING})
"""The codes of these warnings, among those of problems that do leave something out."""
