"""The query language: text in, a typed tree and warnings out; dates; what ranks and what is demanded."""
