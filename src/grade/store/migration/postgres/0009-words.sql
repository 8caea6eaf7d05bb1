-- The words of ended episodes, to search in. They are read after an episode has ended, so that no turn waits for it.
ALTER TABLE episode ADD COLUMN words_read INTEGER NOT NULL DEFAULT 0;
CREATE INDEX episode_unread ON episode (id) WHERE status = 'complete' AND words_read = 0;

CREATE TABLE episode_words (
  episode TEXT COLLATE "C" PRIMARY KEY NOT NULL REFERENCES episode (id) ON DELETE CASCADE,
  words TSVECTOR NOT NULL
);
CREATE INDEX word_search ON episode_words USING gin (words);
