"""Answers with quotations: from passages or from a model of the user's own, each checked against the notes."""
