"""From text to index terms, the same way for notes and for queries."""
