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
  began_at BIGINT NOT NULL,
  episodes BIGINT NOT NULL,
  complete BIGINT NOT NULL,
  reward DOUBLE PRECISION NOT NULL,
  squares DOUBLE PRECISION NOT NULL,
  successes BIGINT NOT NULL,
  progress DOUBLE PRECISION NOT NULL,
  with_success BIGINT NOT NULL,
  with_progress BIGINT NOT NULL,
  closed BIGINT NOT NULL,
  turns BIGINT NOT NULL,
  input_tokens DOUBLE PRECISION,
  output_tokens DOUBLE PRECISION,
  cost_usd DOUBLE PRECISION,
  latency_ms DOUBLE PRECISION,
  errors DOUBLE PRECISION,
  bin_0 BIGINT NOT NULL,
  bin_1 BIGINT NOT NULL,
  bin_2 BIGINT NOT NULL,
  bin_3 BIGINT NOT NULL,
  bin_4 BIGINT NOT NULL,
  bin_5 BIGINT NOT NULL,
  bin_6 BIGINT NOT NULL,
  bin_7 BIGINT NOT NULL,
  bin_8 BIGINT NOT NULL,
  bin_9 BIGINT NOT NULL,
  bin_10 BIGINT NOT NULL,
  bin_11 BIGINT NOT NULL,
  bin_12 BIGINT NOT NULL,
  bin_13 BIGINT NOT NULL,
  bin_14 BIGINT NOT NULL,
  bin_15 BIGINT NOT NULL,
  bin_16 BIGINT NOT NULL,
  bin_17 BIGINT NOT NULL,
  bin_18 BIGINT NOT NULL,
  bin_19 BIGINT NOT NULL
);

CREATE UNIQUE INDEX episode_sum_of ON episode_sum (owner, collection, scenario, version, coalesce(study, ''), coalesce(player, ''));

-- Lists of one player, scenario or group, newest first, read only the rows that they show.
CREATE INDEX episode_of_player ON episode (owner, player, created_at, id);
CREATE INDEX episode_of_scenario ON episode (owner, collection, scenario, created_at, id);
CREATE INDEX episode_of_group ON episode (owner, "group", created_at, id) WHERE "group" IS NOT NULL;
