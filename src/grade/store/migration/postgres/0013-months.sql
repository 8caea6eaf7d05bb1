-- Episodes, with their turns and words, lie apart by month: an id begins with its time, so a month is a range of ids.
-- What there is so far stays where it is, as all that lies before the next month; what no month holds has a table as
-- well. A row of turn or of words is only ever written beside its episode's, which a foreign key need not check again.
ALTER TABLE turn DROP CONSTRAINT turn_episode_fkey;
ALTER TABLE turn ALTER COLUMN episode TYPE TEXT COLLATE "C";
ALTER TABLE episode_words DROP CONSTRAINT episode_words_episode_fkey;

-- A key is used once in all months.
CREATE TABLE episode_key (
  owner TEXT NOT NULL,
  created_key TEXT NOT NULL,
  episode TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (owner, created_key)
);
INSERT INTO episode_key SELECT owner, created_key, id FROM episode WHERE created_key IS NOT NULL;
DROP INDEX episode_created_key;

DO $$
DECLARE
  next BIGINT := extract(epoch FROM date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') * 1000;
  bound TEXT := '';
  name TEXT;
  id TEXT;
BEGIN
  FOR place IN 1..9 LOOP
    bound := substr('0123456789abcdefghjkmnpqrstvwxyz', (next % 32)::int + 1, 1) || bound;
    next := next / 32;
  END LOOP;
  bound := 'ep_' || bound;
  FOR name, id IN VALUES ('episode', 'id'), ('turn', 'episode'), ('episode_words', 'episode') LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', name, name || '_before');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) PARTITION BY RANGE (%I)', name, name || '_before', id);
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', name || '_rest', name);
    EXECUTE format(
      'WITH moved AS (DELETE FROM %I WHERE %I >= %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
      name || '_before', id, bound, name || '_rest');
    EXECUTE format(
      'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', name, name || '_before', bound);
  END LOOP;
END $$;
