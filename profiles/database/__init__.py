"""What is on disk: SQLite the way every store needs it, its schema, and the values that are its rows."""
