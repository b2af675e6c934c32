-- In which change an answer went into the working tree: what becomes of that says whether it is of use. Owned by package learn.
ALTER TABLE answers ADD COLUMN set_id INTEGER NOT NULL DEFAULT 0; -- the last one, in the journal; 0: none
