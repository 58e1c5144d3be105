"""Who may ask: named clients with scopes and profiles, hashed tokens, pairing, page sessions, identity."""
