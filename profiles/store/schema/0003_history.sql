-- Searches that the user made, newest 1,000. Queries have been through the credential filter.

CREATE TABLE search_event (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ns   INTEGER NOT NULL,
    query   TEXT NOT NULL,
    mode    TEXT NOT NULL,
    results INTEGER NOT NULL, -- of this profile
    took_ms REAL NOT NULL     -- of the search as a whole
) STRICT;

-- Notes opened from the results of a search. Not a reference to `note`: a note that is gone was opened all the same.
CREATE TABLE search_opened (
    event_id INTEGER NOT NULL REFERENCES search_event (id) ON DELETE CASCADE,
    path     TEXT NOT NULL,
    at_ns    INTEGER NOT NULL,
    PRIMARY KEY (event_id, path)
) STRICT, WITHOUT ROWID;
