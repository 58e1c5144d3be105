-- Who searched, and what the answer was worth; '' of searches before this was noted.
ALTER TABLE search_event ADD COLUMN source TEXT NOT NULL DEFAULT '';    -- panel, page, terminal or agent
ALTER TABLE search_event ADD COLUMN client TEXT NOT NULL DEFAULT '';    -- the client's name then, credentials taken out
ALTER TABLE search_event ADD COLUMN relevance TEXT NOT NULL DEFAULT ''; -- tier of the answer: high, medium or low
