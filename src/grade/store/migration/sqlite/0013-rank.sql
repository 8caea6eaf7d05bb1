-- Lists of ended episodes by reward, duration or tokens read only the rows that they show.
CREATE INDEX episode_by_reward ON episode (owner, reward, id) WHERE status = 'complete';
CREATE INDEX episode_by_duration ON episode (owner, (updated_at - created_at), id) WHERE status = 'complete';
CREATE INDEX episode_by_tokens ON episode (
  owner,
  (json_extract(total_usage, '$.inputTokens') + coalesce(json_extract(total_usage, '$.outputTokens'), 0)),
  id
) WHERE status = 'complete';
