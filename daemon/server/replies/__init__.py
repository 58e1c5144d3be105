"""Notes and passages as they travel."""
