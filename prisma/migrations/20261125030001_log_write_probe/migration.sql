-- older release: it knows neither this table nor this function; only the probe's own table is emptied.
-- /readyz proves with log.prove_write() that a write to the logs can commit: it takes the locks that a record takes,
-- and writes a row that needs a new page of the disk. Rows are so large that no two share a page; without autovacuum
-- no page is used again, and the table is emptied when it has grown to a megabyte.
CREATE TABLE log.write_probe (
  at timestamptz NOT NULL DEFAULT now(),
  filler text NOT NULL DEFAULT repeat('x', 7000)
) WITH (autovacuum_enabled = false);
ALTER TABLE log.write_probe ALTER COLUMN filler SET STORAGE PLAIN;

CREATE FUNCTION log.prove_write() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '500ms' AS $$
BEGIN
  LOCK TABLE log.activity, log.activity_day, log.phi_audit IN ROW EXCLUSIVE MODE;
  IF pg_relation_size('log.write_probe') > 1000000 THEN
    TRUNCATE log.write_probe;
  END IF;
  INSERT INTO log.write_probe DEFAULT VALUES;
END $$;
REVOKE ALL ON FUNCTION log.prove_write() FROM PUBLIC;
