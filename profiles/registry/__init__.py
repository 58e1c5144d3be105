"""Which profiles there are, who has their keys, taking one elsewhere."""
