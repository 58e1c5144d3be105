"""`python -m daemon` is `scrubjay`."""

from daemon.cli import main

main()
