"""What people and agents had remembered: saved, recalled, listed and forgotten, one journal a profile."""

LONGEST_TEXT = 8_000
"""Code points of one entry."""
