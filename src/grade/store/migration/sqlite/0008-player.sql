-- Who played (its name apart, to ask by), the numbers of the grade that lists and sums ask for, and what it took.
ALTER TABLE episode ADD COLUMN player TEXT;
ALTER TABLE episode ADD COLUMN player_card TEXT;
ALTER TABLE episode ADD COLUMN progress REAL;
ALTER TABLE episode ADD COLUMN gate INTEGER;
ALTER TABLE episode ADD COLUMN scores TEXT;
ALTER TABLE episode ADD COLUMN total_usage TEXT;

-- What the player said of a turn; `total_usage` is that of its episode up to it, as `state` is.
ALTER TABLE turn ADD COLUMN usage TEXT;
ALTER TABLE turn ADD COLUMN total_usage TEXT;

UPDATE episode SET
  progress = grade ->> 'progress',
  gate = grade ->> 'gate',
  scores = json_object(
    'success_metrics', grade ->> '$.dimensions.success_metrics.score',
    'failure_metrics', grade ->> '$.dimensions.failure_metrics.score',
    'best_practices', grade ->> '$.dimensions.best_practices.score',
    'rubrics', grade ->> '$.dimensions.rubrics.score',
    'discovery', grade ->> '$.dimensions.discovery.score',
    'output_similarity', grade ->> '$.dimensions.output_similarity.score',
    'decision_match', grade ->> '$.dimensions.decision_match.score')
WHERE grade ->> 'dimensions' IS NOT NULL;

DROP VIEW episode_now;
CREATE VIEW episode_now AS
SELECT
  e.id, e.owner, e.collection, e.scenario, e.version, e.variant, e.seed, e."group", e.player, e.player_card,
  e.created_key, e.created_hash, e.options, e.opening, coalesce(t.state, e.state) AS state, e.status,
  e.terminal_reason, coalesce(t.turn, e.turn_count) AS turn_count, e.reward, e.success, e.grade, e.progress, e.gate,
  e.scores, coalesce(t.total_usage, e.total_usage) AS total_usage, e.created_at, coalesce(t.at, e.updated_at) AS updated_at,
  max(e.expires_at, coalesce(t.expires_at, 0)) AS expires_at
FROM episode AS e
LEFT JOIN turn AS t
  ON e.status = 'open' AND t.episode = e.id AND t.state IS NOT NULL
  AND t.turn = (SELECT max(turn) FROM turn WHERE episode = e.id);
