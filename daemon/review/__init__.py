"""Small decisions that tidy a vault: what is found, what the user said of it, and what saying yes would change."""
