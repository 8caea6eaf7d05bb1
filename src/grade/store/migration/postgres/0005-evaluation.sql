-- How often a key has had one task evaluated, where it may do so only a number of times.
ALTER TABLE api_key ADD COLUMN max_evaluations INTEGER;

CREATE TABLE evaluation (
  owner TEXT NOT NULL,
  task TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (owner, task)
);
