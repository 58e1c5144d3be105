"""What a profile is, keeps and finds."""
