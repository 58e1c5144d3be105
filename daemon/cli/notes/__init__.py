"""Commands about notes."""
