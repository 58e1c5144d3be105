"""The text that is looked through: Unicode, escapes, joined lines, and the words and names that announce a secret."""
