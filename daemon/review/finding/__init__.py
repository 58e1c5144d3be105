"""What there is to decide: one file for each kind of proposal, each a function or an object over `ReviewNotes`."""
