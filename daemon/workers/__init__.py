"""Work that nobody waits for: loops in threads of this process, and processes of its own, with their priority.

Knows nothing of notes or models; who has work for it says what is to be done.
"""
