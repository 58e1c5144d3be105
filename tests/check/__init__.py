"""What `make check` runs: the linters and the tests that a change touches."""
