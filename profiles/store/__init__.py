"""One profile's database behind one door: what is written, what is read, whether it is whole."""
