"""What finders know of links: where names and links stand in notes, where they lead, and how a vault writes them."""
