"""Whether what is derived agrees with what it derives from, in a file and on a server."""
