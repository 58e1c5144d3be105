"""The tools for AI agents."""
