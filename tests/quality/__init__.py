"""Retrieval quality: `python -m tests.quality` scores labelled collections through the real pipeline."""
