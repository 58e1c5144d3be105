"""Who may ask, and how one gets in: clients, pairing, sessions."""
