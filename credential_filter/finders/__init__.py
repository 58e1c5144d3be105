"""One module for each way to write a secret down: noted, in tables, exports, code, pairs, blocks, encodings."""
