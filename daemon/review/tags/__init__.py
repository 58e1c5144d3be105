"""Which of its own tags fit a vault's notes, learned from those that have some."""
