"""Commands that look after the index."""
