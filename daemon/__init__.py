"""Everything of Scrubjay that runs: reading, indexing, searching, and the doors to it."""

__version__ = "0.1.0"
