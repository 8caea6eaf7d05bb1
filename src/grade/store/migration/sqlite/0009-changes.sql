-- What has changed since a time: the ended episodes by when they ended; the open ones are few, and are looked at each.
CREATE INDEX episode_ended ON episode (owner, updated_at) WHERE status = 'complete';
