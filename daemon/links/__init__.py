"""What links to what: the graph, related notes, days, walks."""
