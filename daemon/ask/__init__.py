"""A question put to a language model of the user's own: what it is sent, and what it says, piece by piece."""
