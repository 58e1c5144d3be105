"""What reads a text: its characters as they are meant, its other readings, and the names in it that announce a secret."""
