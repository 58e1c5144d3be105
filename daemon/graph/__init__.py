"""What links to what, which notes are related and why, and whether a quotation is where it is said to be.

May import `profiles`, `daemon.vault` and `daemon.embedding`; search and the API build on it.
"""
