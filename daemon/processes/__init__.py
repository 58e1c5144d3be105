"""Background work, whatever it is: worker processes, loops that survive exceptions, priority, memory."""
