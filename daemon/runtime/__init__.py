"""Puts the parts together: opens profiles, starts the background work and the server."""
