"""What could keep Scrubjay from working here, and a report to show to others."""
