"""What Scrubjay says to people, one file a language, for the tray, `scrubjay setup` and the panel."""
