CREATE TABLE run_entry (
  run TEXT NOT NULL,
  number INTEGER NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (run, number)
) STRICT;
