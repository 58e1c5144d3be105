"""What the parsers share: bytes as text, archives and XML that can't harm, HTML as blocks."""
