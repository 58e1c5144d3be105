"""What the daemon tells of itself: metrics for Prometheus, and the searches it was asked, kept in each profile."""
