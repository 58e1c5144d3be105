"""What saying yes changes: planned over texts, shown as a diff, written by a process of the user's, and undone."""
