"""The door in front of the API: what is refused, who asks, what each may see, and how a refusal is said."""
