"""The lexical leg: postings, BM25F."""
