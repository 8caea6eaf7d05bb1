-- Lists of ended episodes by reward, duration or tokens read only the rows that they show.
CREATE INDEX episode_by_reward ON episode (owner, reward, id) WHERE status = 'complete';
CREATE INDEX episode_by_duration ON episode (owner, (updated_at - created_at), id) WHERE status = 'complete';
CREATE INDEX episode_by_tokens ON episode (
  owner,
  ((total_usage::jsonb ->> 'inputTokens')::float8 + coalesce((total_usage::jsonb ->> 'outputTokens')::float8, 0)),
  id
) WHERE status = 'complete';
