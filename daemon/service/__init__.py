"""Starting with the computer: the files that systemd, launchd and the Windows task scheduler read."""
