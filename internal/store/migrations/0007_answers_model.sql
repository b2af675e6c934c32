-- Whose answer it is: another model's than the one that was asked first, where that could not be asked. Owned by package learn.
ALTER TABLE answers ADD COLUMN model TEXT NOT NULL DEFAULT ''; -- with its provider; empty: nobody knows any more
