CREATE TABLE conversation (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  title TEXT NOT NULL,
  version INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  stop TEXT,
  fork_of TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX conversation_by_owner ON conversation (owner, updated_at, id);

CREATE TABLE conversation_message (
  conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (conversation, number)
) STRICT;
