"""What the stores hold, as it travels: which notes are meant, their passages, completions, credentials."""
