"""The query language: from text to a plan of what ranks notes and what is demanded of them."""
