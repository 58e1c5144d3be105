"""What the daemon does by itself: it follows what changes, keeps its pace, and releases memory at rest."""
