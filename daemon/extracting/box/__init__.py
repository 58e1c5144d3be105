"""The box: a process without files and network that reads what others wrote, and the door to it."""
