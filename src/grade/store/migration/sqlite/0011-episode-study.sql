-- The study that an episode was played for: all of its episodes are asked for together.
ALTER TABLE episode ADD COLUMN study TEXT;
CREATE INDEX episode_by_study ON episode (owner, study, created_at, id) WHERE study IS NOT NULL;

DROP VIEW episode_now;
CREATE VIEW episode_now AS
SELECT
  e.id, e.owner, e.collection, e.scenario, e.version, e.variant, e.seed, e."group", e.study, e.player, e.player_card,
  e.created_key, e.created_hash, e.options, e.opening, coalesce(t.state, e.state) AS state, e.status,
  e.terminal_reason, coalesce(t.turn, e.turn_count) AS turn_count, e.reward, e.success, e.grade, e.progress, e.gate,
  e.scores, coalesce(t.total_usage, e.total_usage) AS total_usage, e.created_at, coalesce(t.at, e.updated_at) AS updated_at,
  max(e.expires_at, coalesce(t.expires_at, 0)) AS expires_at
FROM episode AS e
LEFT JOIN turn AS t
  ON e.status = 'open' AND t.episode = e.id AND t.state IS NOT NULL
  AND t.turn = (SELECT max(turn) FROM turn WHERE episode = e.id);
