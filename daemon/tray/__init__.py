"""The icon in the system tray."""
