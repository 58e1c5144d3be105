"""The pipeline: what changed is read, redacted, cut, stored and embedded."""
