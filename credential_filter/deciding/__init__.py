"""What decides whether a string is a secret, and how spans that are become hits."""
