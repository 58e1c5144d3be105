"""What may be quoted in answer to a prompt or a question, and how: with its place, within a budget, verified."""
