"""The daemon as a process: one engine behind one server; and the same API inside a command, where no daemon runs."""
