"""Prints scrubjay(1): `python packaging/site/make_man.py > scrubjay.1`."""

from commands import described
from man_page import as_man

from scrubjay.daemon import __version__

if __name__ == "__main__":
    print(as_man(described(), __version__), end="")
