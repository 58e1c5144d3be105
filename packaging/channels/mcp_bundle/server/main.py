"""Serves the tools of Scrubjay on standard input and output."""

import sys

from scrubjay.daemon.cli import main

sys.argv = ["scrubjay", "mcp"]
main()
