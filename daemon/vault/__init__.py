"""What is on disk: the allowlist, scanning, watching, reading and parsing notes."""
