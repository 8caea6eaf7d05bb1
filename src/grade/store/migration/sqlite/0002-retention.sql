CREATE INDEX episode_done ON episode (updated_at) WHERE status = 'complete';
