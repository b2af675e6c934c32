-- What calls to language models were reserved and have cost, in billionths of a US dollar. Owned by package budget.
CREATE TABLE spending (
    id       INTEGER PRIMARY KEY,
    tree     TEXT    NOT NULL, -- the working tree that it was spent for
    session  TEXT    NOT NULL, -- of that working tree; empty: none
    fixer    TEXT    NOT NULL, -- who asked; empty: no fixer
    role     TEXT    NOT NULL,
    purpose  TEXT    NOT NULL,
    provider TEXT    NOT NULL,
    model    TEXT    NOT NULL,
    most     INTEGER NOT NULL CHECK (most >= 0), -- what was reserved
    cost     INTEGER,          -- NULL: the call was never settled, and counts as what was reserved
    guessed  INTEGER NOT NULL DEFAULT 0, -- the provider did not say what it has cost
    failed   INTEGER NOT NULL DEFAULT 0,
    input    INTEGER NOT NULL DEFAULT 0, -- tokens
    cached   INTEGER NOT NULL DEFAULT 0, -- of input
    output   INTEGER NOT NULL DEFAULT 0,
    took     INTEGER NOT NULL DEFAULT 0, -- nanoseconds
    at       INTEGER NOT NULL  -- milliseconds since 1970: when it was reserved
);
CREATE INDEX spending_by_time ON spending (at);
CREATE INDEX spending_by_session ON spending (tree, session);
