"""Background work, whatever it is: loops in threads of this process, worker processes, their priority and memory.

Independent of notes and models: the caller passes the work.
"""
