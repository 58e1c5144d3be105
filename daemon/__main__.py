"""`python -m scrubjay.daemon` is `scrubjay`."""

from scrubjay.daemon.cli import main

main()
