"""The functions that answer them."""
