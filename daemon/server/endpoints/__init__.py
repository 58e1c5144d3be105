"""Each call of the API, declared once."""
