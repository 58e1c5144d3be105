"""Files beside notes, from the disk to the store: read in a box, redacted, cut with their places, after all notes."""
