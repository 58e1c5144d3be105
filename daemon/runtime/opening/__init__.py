"""Which profiles are open, what each is opened with, and keeping that in step with the registry."""
