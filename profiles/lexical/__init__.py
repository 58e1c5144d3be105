"""The lexical leg: from text to terms, postings, BM25F."""
