"""Commands that ask the notes."""
