"""Questions of a person's own, drafted from their notes and searches, and runs that are kept to compare with."""
