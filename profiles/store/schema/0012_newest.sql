-- The newest notes by their names, without a look at the notes themselves: what is suggested while a name is typed.
DROP INDEX note_mtime;
CREATE INDEX note_newest ON note (mtime_ns DESC, file_key);
