"""What is on disk: which notes may be read, finding, reading and parsing them, watching."""
