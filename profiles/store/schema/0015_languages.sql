-- The language in which a note's words are stemmed beside English (profiles/search/words/stems.py); '' where there is none.
ALTER TABLE note ADD COLUMN stemmed TEXT NOT NULL DEFAULT '';

-- How many notes there are of each, '' too, so that a search need not count them.
CREATE TABLE stemmed_language (
    code  TEXT PRIMARY KEY,
    notes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO stemmed_language SELECT '', count(*) FROM note;
CREATE TRIGGER note_stemmed_added AFTER INSERT ON note BEGIN
    INSERT INTO stemmed_language VALUES (new.stemmed, 1) ON CONFLICT (code) DO UPDATE SET notes = notes + 1;
END;
CREATE TRIGGER note_stemmed_gone AFTER DELETE ON note BEGIN
    UPDATE stemmed_language SET notes = notes - 1 WHERE code = old.stemmed;
END;
CREATE TRIGGER note_stemmed_changed AFTER UPDATE OF stemmed ON note WHEN old.stemmed <> new.stemmed BEGIN
    UPDATE stemmed_language SET notes = notes - 1 WHERE code = old.stemmed;
    INSERT INTO stemmed_language VALUES (new.stemmed, 1) ON CONFLICT (code) DO UPDATE SET notes = notes + 1;
END;

CREATE INDEX note_lang ON note (lang);
