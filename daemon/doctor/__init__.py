"""`scrubjay doctor`: what could keep Scrubjay from working here, and what to do about each."""
