"""What links to what, which notes are related and why.

May import `profiles`, `daemon.vault` and `daemon.embedding`; search and the API build on it.
"""
