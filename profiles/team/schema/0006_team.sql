-- Version 6: from when on and until when entries of the journal hold, and when they were replaced; when a passage came by an edit.
ALTER TABLE journal
    ADD valid_from_ns bigint, -- Unix nanoseconds; NULL: from when it was first said
    ADD valid_to_ns   bigint, -- not included; NULL: no end is known
    ADD replaced_ns   bigint; -- from when on what replaced it holds; NULL: nothing did

ALTER TABLE chunk ADD since_ns bigint; -- NULL: it stood there when the note was first read
