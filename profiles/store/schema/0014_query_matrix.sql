-- What aliases and link texts have taught of a profile's questions, for each model; see daemon/engine/.
CREATE TABLE query_matrix (
    model  TEXT PRIMARY KEY, -- fingerprint
    pairs  INTEGER NOT NULL, -- names that it was learned from
    ridge  REAL NOT NULL,    -- how strongly it was kept to changing nothing
    before REAL NOT NULL,    -- mean reciprocal rank of notes left out, by their names, without it
    gain   REAL NOT NULL,    -- what it adds to that, and the interval of the gain
    low    REAL NOT NULL,
    high   REAL NOT NULL,
    shift  REAL NOT NULL,    -- how much higher its similarities are
    matrix BLOB NOT NULL     -- little-endian float32, row after row; empty where it gains too little to be used
) STRICT;
