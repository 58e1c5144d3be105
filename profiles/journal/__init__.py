"""The journal, and the searches that are remembered."""
