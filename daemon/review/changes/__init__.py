"""The careful writing of notes: plans, diffs, exchange of files, undo."""
