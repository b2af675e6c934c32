-- What became of repairs, by the idea they were made by. Owned by package learn.
CREATE TABLE lessons (
    source  TEXT    NOT NULL, -- what was decided about: "set 12" of the journal, or "session …" for a patch that was never applied
    idea    TEXT    NOT NULL, -- the language and the idea's name: "Python/off-by-one"
    set_id  INTEGER NOT NULL DEFAULT 0, -- in the journal; 0: never applied
    outcome TEXT    NOT NULL CHECK (outcome IN ('kept', 'undone', 'rejected')),
    at      INTEGER NOT NULL,
    PRIMARY KEY (source, idea)
) WITHOUT ROWID;
