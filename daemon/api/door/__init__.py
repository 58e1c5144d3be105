"""Admission to the API: which requests are refused, who the caller is, what it may see, how errors are told."""
