-- The study that an episode was played for: all of its episodes are asked for together.
ALTER TABLE episode ADD COLUMN study TEXT;
CREATE INDEX episode_by_study ON episode (owner, study, created_at, id) WHERE study IS NOT NULL;
