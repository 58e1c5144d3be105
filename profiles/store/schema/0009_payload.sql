-- Code points of a note that were left out since only programs read them.
ALTER TABLE note ADD COLUMN payload INTEGER NOT NULL DEFAULT 0;
