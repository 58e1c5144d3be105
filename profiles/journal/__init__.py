"""The journal of a profile, and the searches that it remembers."""
