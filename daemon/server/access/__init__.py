"""Who may come in: admission, clients, tokens, sessions, pairing."""
