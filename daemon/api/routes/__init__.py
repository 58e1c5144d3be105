"""One file a subject. A handler parses, makes one call and encodes; who may call it stands in its guard."""
