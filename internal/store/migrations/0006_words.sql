-- How sure a fixer was of a patch, and what became of it. Owned by package learn.
CREATE TABLE words (
    source  TEXT    NOT NULL, -- what was decided about: "set 12" of the journal, or "session …" for a patch that was never applied
    fixer   TEXT    NOT NULL,
    kind    TEXT    NOT NULL, -- of the check: "test", "lint"
    lang    TEXT    NOT NULL, -- of the files that it changes
    sure    REAL    NOT NULL, -- 0–1, the fixer's own word
    set_id  INTEGER NOT NULL DEFAULT 0, -- in the journal; 0: never applied
    outcome TEXT    NOT NULL CHECK (outcome IN ('kept', 'undone', 'rejected')),
    at      INTEGER NOT NULL,
    PRIMARY KEY (source, fixer, kind, lang, sure)
) WITHOUT ROWID;
