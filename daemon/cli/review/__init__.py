"""`scrubjay review`."""
