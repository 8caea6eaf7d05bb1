CREATE TABLE study (
  name TEXT COLLATE "C" PRIMARY KEY,
  players TEXT NOT NULL
);

CREATE TABLE study_cell (
  study TEXT COLLATE "C" NOT NULL REFERENCES study (name) ON DELETE CASCADE,
  key TEXT COLLATE "C" NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  result TEXT,
  fault TEXT,
  PRIMARY KEY (study, key)
);

CREATE INDEX study_cell_open ON study_cell (study) WHERE result IS NULL AND fault IS NULL;
