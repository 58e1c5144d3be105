"""What people and agents had remembered: saved, recalled, listed and forgotten, one journal a profile."""
