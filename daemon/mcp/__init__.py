"""Scrubjay for AI agents: the Model Context Protocol over the daemon's own API."""
