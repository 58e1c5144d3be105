"""One profile's database, a SQLite file: schema, writes, reads, integrity, encryption, copies."""
