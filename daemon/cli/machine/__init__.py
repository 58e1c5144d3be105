"""Commands about this machine and its indexes."""
