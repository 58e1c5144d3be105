"""The tray and `scrubjay setup` in the languages of their users."""
