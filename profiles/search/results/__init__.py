"""What is shown of a note that was found: snippet, highlights, notices, facets, reasons."""
