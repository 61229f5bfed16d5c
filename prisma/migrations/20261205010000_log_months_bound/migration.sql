-- The first of three steps that partition the logs by month (decision 203): rows that are there, and those of the next weeks,
-- are before a bound. The bound is checked for new rows at once, for the others in the next step, which blocks nobody.
-- older release: its rows have the time at which they are written, and the bound is a month away at least.

-- Until the transaction ends. Writers wait behind it, so it waits a second at most and tries again. The third step drops it.
CREATE FUNCTION log.lock_logs() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  FOR attempt IN 1..120 LOOP
    BEGIN
      SET LOCAL lock_timeout = '1s';
      LOCK TABLE log.activity, log.phi_audit IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF attempt = 120 THEN
        RAISE EXCEPTION 'the logs were in use for minutes: run this again when no backup and no long query is under way';
      END IF;
      PERFORM pg_sleep(1);
    END;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION log.lock_logs() FROM PUBLIC;

DO $$
DECLARE
  each text;
  newest timestamptz;
  bound timestamptz;
BEGIN
  PERFORM log.lock_logs();

  FOREACH each IN ARRAY ARRAY['activity', 'phi_audit'] LOOP
    EXECUTE format('SELECT max(at) FROM log.%I', each) INTO newest;
    CONTINUE WHEN newest IS NULL;
    bound := (greatest(
      date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months',
      date_trunc('month', newest AT TIME ZONE 'UTC') + interval '1 month')) AT TIME ZONE 'UTC';
    EXECUTE format('ALTER TABLE log.%I ADD CONSTRAINT %I CHECK (at < %L) NOT VALID', each, each || '_until', bound);
  END LOOP;
END $$;
