"""What is kept of notes beside the index: decisions, answers of the review, near copies, what was learned."""
