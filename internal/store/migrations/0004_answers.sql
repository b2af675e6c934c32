-- What fixers that cost money were asked, and what they answered, so that nobody pays for it twice. Owned by package learn.
CREATE TABLE answers (
    question TEXT    PRIMARY KEY, -- identifies the problem, the files that were shown, and whom they were shown to
    fixer    TEXT    NOT NULL,
    reply    TEXT    NOT NULL,    -- without secrets; empty where nothing in it was of use
    useless  TEXT    NOT NULL DEFAULT '', -- why it is of no use; empty: nothing is known against it
    at       INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX answers_at ON answers (at);
