-- Times are Unix milliseconds. JSON columns hold what the owning room writes; this schema does not look inside.

CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO schema_version VALUES (0);

-- One run of the loop towards a goal. Owned by package heal.
CREATE TABLE sessions (
    id        TEXT    PRIMARY KEY,
    created   INTEGER NOT NULL,
    updated   INTEGER NOT NULL,
    goal      TEXT    NOT NULL,            -- JSON
    ending    TEXT    NOT NULL DEFAULT '', -- the graph's end it reached; empty while it runs
    node      TEXT    NOT NULL DEFAULT '', -- the node to run next
    iteration INTEGER NOT NULL DEFAULT 0,
    state     BLOB    NOT NULL DEFAULT ''  -- JSON
);
CREATE INDEX sessions_updated ON sessions (updated);

-- The nodes a session has finished, in order.
CREATE TABLE steps (
    session TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    node    TEXT    NOT NULL,
    outcome TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (session, seq)
) WITHOUT ROWID;

-- The journal: change sets and the files they touch. Owned by package journal. A set outlives its session.
CREATE TABLE change_sets (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    session   TEXT    NOT NULL,
    iteration INTEGER NOT NULL,
    author    TEXT    NOT NULL,
    reason    TEXT    NOT NULL,
    kind      TEXT    NOT NULL CHECK (kind IN ('apply', 'undo', 'redo', 'rollback', 'accept')),
    of        INTEGER NOT NULL DEFAULT 0, -- the set it reverses; 0: none
    state     TEXT    NOT NULL CHECK (state IN ('intent', 'done', 'aborted')),
    at        INTEGER NOT NULL,
    folders   TEXT    NOT NULL DEFAULT '[]', -- JSON: folders it creates, outermost first
    temps     TEXT    NOT NULL DEFAULT '[]'  -- JSON: its temporary files, to be removed after a crash
);
CREATE INDEX change_sets_session ON change_sets (session, iteration);
CREATE INDEX change_sets_pending ON change_sets (state) WHERE state = 'intent';

CREATE TABLE changes (
    set_id      INTEGER NOT NULL REFERENCES change_sets (id) ON DELETE CASCADE,
    seq         INTEGER NOT NULL,
    path        TEXT    NOT NULL,
    op          TEXT    NOT NULL,
    before_hash TEXT    NOT NULL, -- empty: no file
    before_mode INTEGER NOT NULL,
    after_hash  TEXT    NOT NULL, -- empty: no file
    after_mode  INTEGER NOT NULL,
    PRIMARY KEY (set_id, seq)
) WITHOUT ROWID;
CREATE INDEX changes_path ON changes (path);

-- Results of checks by the content of all they depend on. Owned by package verify.
CREATE TABLE results (
    key        TEXT    PRIMARY KEY,
    check_name TEXT    NOT NULL,
    result     BLOB    NOT NULL, -- JSON
    at         INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX results_at ON results (at);

-- Patches that wait for a person. Owned by package heal.
CREATE TABLE patches (
    id        TEXT    PRIMARY KEY,
    session   TEXT    NOT NULL,
    iteration INTEGER NOT NULL DEFAULT 0,
    state     TEXT    NOT NULL DEFAULT 'pending', -- pending, accepted, discarded
    patch     BLOB    NOT NULL, -- JSON: the patch, its author, explanation, evidence
    at        INTEGER NOT NULL
);
CREATE INDEX patches_session ON patches (session);
