"""The icon in the system tray. What it shows is decided in pure code; pystray (the extra `scrubjay[tray]`) draws it."""
