-- Whose turn it was at what, and what came of it. Owned by package learn.
CREATE TABLE turns (
    session   TEXT    NOT NULL,
    iteration INTEGER NOT NULL,
    step      TEXT    NOT NULL, -- identifies the question
    fixer     TEXT    NOT NULL,
    kind      TEXT    NOT NULL, -- of the check: "test", "lint"
    outcome   TEXT    NOT NULL CHECK (outcome IN ('failed', 'nothing', 'refused', 'healed')),
    usd       REAL    NOT NULL, -- as far as it is known
    took      INTEGER NOT NULL, -- nanoseconds
    at        INTEGER NOT NULL,
    PRIMARY KEY (session, iteration, step, fixer)
) WITHOUT ROWID;
