"""The same on a PostgreSQL server that a team shares: its schema, its members, its connections."""
