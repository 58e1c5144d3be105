"""From files to a searchable store: plan, redact, chunk, embed, and the loops that do it."""
