"""Proposals that tidy a vault, and what the user said of them."""
