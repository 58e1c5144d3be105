"""Commands about other programs: clients, agents, Obsidian."""
