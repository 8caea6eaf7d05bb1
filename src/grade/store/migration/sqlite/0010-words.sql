-- The words of ended episodes, to search in. They are read after an episode has ended, so that no turn waits for it.
ALTER TABLE episode ADD COLUMN words_read INTEGER NOT NULL DEFAULT 0;
CREATE INDEX episode_unread ON episode (id) WHERE status = 'complete' AND words_read = 0;

CREATE TABLE episode_words (
  number INTEGER PRIMARY KEY,
  episode TEXT NOT NULL UNIQUE REFERENCES episode (id) ON DELETE CASCADE
) STRICT;
CREATE VIRTUAL TABLE word_search USING fts5 (words, content = '', contentless_delete = 1);
CREATE TRIGGER episode_words_gone AFTER DELETE ON episode_words BEGIN
  DELETE FROM word_search WHERE rowid = old.number;
END;
