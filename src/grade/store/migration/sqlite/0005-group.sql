-- Holds all that the spread of rewards within groups asks for; episodes without a group are not in it.
CREATE INDEX episode_grouped ON episode (updated_at, owner, "group", collection, scenario, variant, reward)
  WHERE status = 'complete' AND "group" IS NOT NULL;
