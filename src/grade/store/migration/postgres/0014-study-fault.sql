-- Every try of a cell that failed for reasons outside its player, in the order in which they were told.
CREATE TABLE study_fault (
  study TEXT COLLATE "C" NOT NULL REFERENCES study (name) ON DELETE CASCADE,
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  fault TEXT NOT NULL,
  PRIMARY KEY (study, number)
);
