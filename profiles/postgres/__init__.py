"""A profile on a PostgreSQL server: its schema, who may use it, and connections that speak as those to a file do."""
