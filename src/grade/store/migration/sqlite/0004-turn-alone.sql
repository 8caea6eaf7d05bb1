-- A turn writes one row, its own; the row of its episode is written again only when the episode ends. What an open
-- episode is after its last turn stands with that turn, and `episode_now` puts the two together.
ALTER TABLE turn ADD COLUMN state TEXT;
ALTER TABLE turn ADD COLUMN expires_at INTEGER;

CREATE VIEW episode_now AS
SELECT
  e.id, e.owner, e.collection, e.scenario, e.version, e.variant, e.seed, e."group", e.created_key, e.created_hash,
  e.options, e.opening, coalesce(t.state, e.state) AS state, e.status, e.terminal_reason,
  coalesce(t.turn, e.turn_count) AS turn_count, e.reward, e.success, e.grade, e.created_at,
  coalesce(t.at, e.updated_at) AS updated_at, max(e.expires_at, coalesce(t.expires_at, 0)) AS expires_at
FROM episode AS e
LEFT JOIN turn AS t
  ON e.status = 'open' AND t.episode = e.id AND t.state IS NOT NULL
  AND t.turn = (SELECT max(turn) FROM turn WHERE episode = e.id);
