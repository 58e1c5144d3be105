"""The processes that take files apart and read pictures: they can open nothing."""
