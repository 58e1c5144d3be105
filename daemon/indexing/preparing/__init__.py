"""From one note's text to what the store keeps of it: redacted, parsed, cut into chunks; watched, so that it ends."""
