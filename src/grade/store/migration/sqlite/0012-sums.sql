-- Sums of ended episodes, so that asking for them takes no longer with a million than with a thousand. An episode is
-- added after it has ended, so that no turn waits for it; `summed` says of each whether it is in here.
ALTER TABLE episode ADD COLUMN summed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX episode_unsummed ON episode (owner) WHERE summed = 0;
CREATE INDEX episode_to_sum ON episode (updated_at) WHERE summed = 0 AND status = 'complete';

CREATE TABLE episode_sum (
  owner TEXT NOT NULL,
  collection TEXT NOT NULL,
  scenario TEXT NOT NULL,
  version TEXT NOT NULL,
  study TEXT,
  player TEXT,
  began_at INTEGER NOT NULL,
  episodes INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  reward REAL NOT NULL,
  squares REAL NOT NULL,
  successes INTEGER NOT NULL,
  progress REAL NOT NULL,
  with_success INTEGER NOT NULL,
  with_progress INTEGER NOT NULL,
  closed INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  input_tokens REAL,
  output_tokens REAL,
  cost_usd REAL,
  latency_ms REAL,
  errors REAL,
  bin_0 INTEGER NOT NULL,
  bin_1 INTEGER NOT NULL,
  bin_2 INTEGER NOT NULL,
  bin_3 INTEGER NOT NULL,
  bin_4 INTEGER NOT NULL,
  bin_5 INTEGER NOT NULL,
  bin_6 INTEGER NOT NULL,
  bin_7 INTEGER NOT NULL,
  bin_8 INTEGER NOT NULL,
  bin_9 INTEGER NOT NULL,
  bin_10 INTEGER NOT NULL,
  bin_11 INTEGER NOT NULL,
  bin_12 INTEGER NOT NULL,
  bin_13 INTEGER NOT NULL,
  bin_14 INTEGER NOT NULL,
  bin_15 INTEGER NOT NULL,
  bin_16 INTEGER NOT NULL,
  bin_17 INTEGER NOT NULL,
  bin_18 INTEGER NOT NULL,
  bin_19 INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX episode_sum_of ON episode_sum (owner, collection, scenario, version, coalesce(study, ''), coalesce(player, ''));

-- Lists of one player, scenario or group, newest first, read only the rows that they show.
CREATE INDEX episode_of_player ON episode (owner, player, created_at, id);
CREATE INDEX episode_of_scenario ON episode (owner, collection, scenario, created_at, id);
CREATE INDEX episode_of_group ON episode (owner, "group", created_at, id) WHERE "group" IS NOT NULL;
