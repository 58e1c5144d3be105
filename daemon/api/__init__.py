"""The localhost HTTP API: the door in front of it, its routes, its wire format. Serves the search page."""
