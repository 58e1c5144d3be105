ALTER TABLE review_suggestion
    DROP CONSTRAINT review_suggestion_note_id_fkey,
    ADD FOREIGN KEY (note_id) REFERENCES note (id) ON DELETE SET NULL;
