"""Whether a string is a secret: passwords, placeholders, surprise, checksums; and what is then hidden."""
