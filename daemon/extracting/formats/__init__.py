"""One module for each format: bytes in, parts of text out. They know no paths and no network."""
