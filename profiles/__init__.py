"""Profiles: each an isolated database of its own."""
