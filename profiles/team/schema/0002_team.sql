-- Version 2: what passages were called before they were edited; when an entry of the journal was first said.

CREATE TABLE former_chunk (
    profile  integer NOT NULL,
    note_id  bigint NOT NULL,
    digest   bytea NOT NULL,
    heir     bytea NOT NULL,
    heir_ns  bigint NOT NULL,
    until_ns bigint NOT NULL
) PARTITION BY LIST (profile);

ALTER TABLE journal ADD COLUMN first_ns bigint;
