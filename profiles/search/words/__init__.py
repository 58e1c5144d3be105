"""The search by words: analysis, postings, BM25F, phrases, the vocabulary."""
