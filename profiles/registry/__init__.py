"""Which profiles there are, who has their keys, and taking one elsewhere."""
