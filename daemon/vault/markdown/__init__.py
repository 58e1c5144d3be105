"""What Markdown's marks mean, with offsets: links, headings, tags, blocks, and what only programs read."""
