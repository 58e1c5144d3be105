"""A messy vault's life in memory: real scan, planner, indexer and store, replayed from a seed."""
