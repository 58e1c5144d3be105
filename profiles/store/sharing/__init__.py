"""Many machines write one profile: which of them writes a note, and what is deleted stays so."""
