"""What finds proposals, one module a kind, and what these share."""
