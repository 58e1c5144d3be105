-- When the file system itself says that a file changed (Unix nanoseconds; 0 where it was not noted): nobody can set it,
-- so an edit that leaves size and time stamp as they were shows here.
ALTER TABLE note ADD COLUMN changed_ns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE failure ADD COLUMN changed_ns INTEGER NOT NULL DEFAULT 0;
