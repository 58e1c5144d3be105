"""Background work, whatever it is: loops in threads of this process, worker processes, their priority and memory.

Knows nothing of notes or models; who has work for it says what is to be done.
"""
