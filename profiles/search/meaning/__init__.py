"""The search by meaning: vectors, the sketches that choose candidates, what names have taught."""
