"""What a profile's aliases and link texts teach of how its notes are asked for."""
