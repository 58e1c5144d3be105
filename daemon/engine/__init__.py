"""What is open and works in the background: profiles, models, journals, history, figures."""
