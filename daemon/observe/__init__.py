"""What the daemon records: metrics for Prometheus, and each profile's search history."""
