-- Old months of the record of access in object storage (decision 204): which objects hold their rows, and a function that
-- takes the rows out of the database once they are there.
-- older release: it reads and writes the same record and doesn't know the archive; a month goes there only with LOG_ARCHIVE_URL.

-- A part is a gzip member of an object: rows of one practice in the order of time.
CREATE TABLE log.access_archive (
  -- `2026-01/…`, below the prefix of LOG_ARCHIVE_URL.
  key text NOT NULL,
  -- The first byte of the part.
  start bigint NOT NULL,
  bytes integer NOT NULL,
  sha256 text NOT NULL,
  practice_id uuid NOT NULL,
  rows integer NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  first_id bigint NOT NULL,
  last_id bigint NOT NULL,
  -- Whose records the rows are about: the first four bytes of the SHA-256 of each patient's id, as a number.
  patients integer[] NOT NULL,
  -- Rows that refer to an export, and lists that name no patients.
  has_exports boolean NOT NULL,
  has_unnamed boolean NOT NULL,
  PRIMARY KEY (key, start)
);
CREATE INDEX access_archive_practice ON log.access_archive (practice_id, last_at DESC);
CREATE INDEX access_archive_last_id ON log.access_archive (last_id);

-- Records the objects of a month and empties its partition, which stays. The month must be over for three others, and its
-- newest row among those in the objects. By the database's own clock; who writes to other months doesn't wait.
CREATE FUNCTION log.archive_access(of_month timestamptz, parts jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '250ms' AS $$
DECLARE
  partition text;
  newest bigint;
BEGIN
  SELECT m.name INTO partition FROM log.months('phi_audit') m WHERE m.month = of_month;
  IF partition IS NULL OR log.month_start(of_month, 4) > now() THEN
    RAISE EXCEPTION 'the month of % is not one that can be archived', of_month;
  END IF;
  EXECUTE format('LOCK TABLE log.%I IN ACCESS EXCLUSIVE MODE', partition);
  EXECUTE format('SELECT max(id) FROM log.%I', partition) INTO newest;
  IF newest IS DISTINCT FROM (SELECT max(p.last_id) FROM jsonb_to_recordset(parts) AS p(last_id bigint)) THEN
    RAISE EXCEPTION '% has other rows by now', partition;
  END IF;
  INSERT INTO log.access_archive SELECT * FROM jsonb_populate_recordset(NULL::log.access_archive, parts);
  EXECUTE format('TRUNCATE log.%I', partition);
END $$;

-- For the objects of a month whose six years are over, and that are deleted.
CREATE FUNCTION log.forget_access_archive(folder text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM log.access_archive a WHERE split_part(a.key, '/', 1) = folder AND NOT EXISTS (
    SELECT FROM log.access_archive o WHERE split_part(o.key, '/', 1) = folder AND o.last_at >= now() - interval '6 years')
$$;

REVOKE ALL ON FUNCTION log.archive_access(timestamptz, jsonb), log.forget_access_archive(text) FROM PUBLIC;
