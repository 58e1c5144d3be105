"""From ranked notes to what a person reads: snippets, highlights, reasons."""
