"""The semantic leg: vectors, and the sketches in RAM that choose candidates."""
