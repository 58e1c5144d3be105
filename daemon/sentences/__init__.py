"""What the tray and `scrubjay setup` say, one module a language."""
