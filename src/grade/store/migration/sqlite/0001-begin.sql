CREATE TABLE episode (
  id TEXT PRIMARY KEY NOT NULL,
  owner TEXT NOT NULL,
  collection TEXT NOT NULL,
  scenario TEXT NOT NULL,
  version TEXT NOT NULL,
  variant INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  "group" TEXT,
  created_key TEXT,
  created_hash TEXT NOT NULL,
  options TEXT NOT NULL,
  opening TEXT NOT NULL,
  state TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'complete')),
  terminal_reason TEXT,
  turn_count INTEGER NOT NULL,
  reward REAL,
  success INTEGER,
  grade TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX episode_newest ON episode (owner, created_at, id);
CREATE UNIQUE INDEX episode_created_key ON episode (owner, created_key) WHERE created_key IS NOT NULL;
CREATE INDEX episode_open ON episode (expires_at) WHERE status = 'open';
CREATE INDEX episode_open_of ON episode (owner) WHERE status = 'open';

CREATE TABLE turn (
  episode TEXT NOT NULL REFERENCES episode (id) ON DELETE CASCADE,
  turn INTEGER NOT NULL,
  key TEXT,
  body_hash TEXT NOT NULL,
  messages_hash TEXT NOT NULL,
  messages TEXT NOT NULL,
  outcomes TEXT NOT NULL,
  answer TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (episode, turn)
) STRICT;

CREATE UNIQUE INDEX turn_key ON turn (episode, key) WHERE key IS NOT NULL;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  name TEXT,
  explain INTEGER NOT NULL,
  collections TEXT,
  rate_limit INTEGER,
  max_episodes INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE TABLE score (
  id TEXT PRIMARY KEY NOT NULL,
  owner TEXT NOT NULL,
  normalization_key TEXT NOT NULL,
  collection TEXT NOT NULL,
  scenario TEXT NOT NULL,
  scoring_version TEXT NOT NULL,
  reward REAL NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- Holds all that a window asks for, so that the table itself is never read.
CREATE INDEX score_window ON score (owner, normalization_key, at, id, reward);
