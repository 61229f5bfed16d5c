-- Logs by month (decision 203): log.activity and log.phi_audit become tables of one partition for each UTC month, without
-- a gap: <table>_before, <table>_mmxxvii_i …, <table>_later. What was there stays where it is, as <table>_before.
-- older release: it reads and writes the same two tables and calls the same two functions; it makes no new months, so
-- that its rows go to <table>_later after three of them, where they are found as well. It backs up each partition as a
-- table, in files whose names it restores only without digits: hence months in Roman numerals.

-- Midnight UTC at which the month of a moment begins, or one some months from it.
CREATE FUNCTION log.month_start(moment timestamptz, months integer DEFAULT 0) RETURNS timestamptz
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT (date_trunc('month', moment AT TIME ZONE 'UTC') + make_interval(months => months)) AT TIME ZONE 'UTC'
$$;

-- `activity_mmxxvii_i`: January 2027.
CREATE FUNCTION log.month_name(parent text, month timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT parent || '_' || lower(to_char(extract(year FROM month AT TIME ZONE 'UTC')::integer, 'FMRN'))
    || '_' || lower(to_char(month AT TIME ZONE 'UTC', 'FMRM'))
$$;

-- Where a partition begins, or <table>_before ends.
CREATE FUNCTION log.bound_of(partition oid) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT substring(pg_get_expr(relpartbound, oid) FROM '''([^'']+)''')::timestamptz FROM pg_class WHERE oid = partition
$$;

-- The months that have a partition of their own.
CREATE FUNCTION log.months(parent text) RETURNS TABLE (month timestamptz, name text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT log.bound_of(c.oid), c.relname::text
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent = format('log.%I', parent)::regclass AND c.relname NOT IN (parent || '_before', parent || '_later')
   ORDER BY 1
$$;

-- From when on rows have no month of their own.
CREATE FUNCTION log.months_end(parent text) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT log.bound_of(format('log.%I', parent || '_later')::regclass)
$$;

-- An empty partition. Who may read the table may read it: pg_dump does so one by one. Nobody writes to it directly.
-- The key of the table of requests is also its order by time; rows of the record of access are sealed by id.
CREATE FUNCTION log.add_partition(parent text, name text, bounds text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE reader text;
BEGIN
  EXECUTE format(
    'CREATE TABLE log.%I (LIKE log.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE, PRIMARY KEY (%s))',
    name, parent, CASE parent WHEN 'activity' THEN 'at, id' ELSE 'id' END);
  EXECUTE format('ALTER TABLE log.%I ATTACH PARTITION log.%I FOR VALUES FROM %s', parent, name, bounds);
  FOR reader IN SELECT DISTINCT r.grantee::regrole::text FROM pg_class c, aclexplode(c.relacl) r
                 WHERE c.oid = format('log.%I', parent)::regclass AND r.privilege_type = 'SELECT'
                   AND r.grantee NOT IN (0, c.relowner) LOOP
    EXECUTE format('GRANT SELECT ON log.%I TO %s', name, reader);
  END LOOP;
END $$;

-- Makes the months up to three after this one, and drops those that are over as a whole. Rows of a month that came before
-- its partition are moved there, at most `movable` of them: who writes to the table waits meanwhile.
-- @returns what was done
CREATE FUNCTION log.renew(parent text, movable bigint) RETURNS text[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '250ms' AS $$
DECLARE
  term CONSTANT interval := CASE parent WHEN 'activity' THEN interval '1 year' WHEN 'phi_audit' THEN interval '6 years' END;
  wanted CONSTANT timestamptz := log.month_start(now(), 4);
  kept CONSTANT timestamptz := log.month_start(now() - term);
  before CONSTANT text := parent || '_before';
  later CONSTANT text := parent || '_later';
  begins timestamptz;
  ends timestamptz;
  name text;
  found boolean;
  waiting bigint;
  done text[] := '{}';
BEGIN
  IF term IS NULL THEN
    RAISE EXCEPTION 'log.% is not parted by month', parent;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('sandpiper log months ' || parent, 0));

  LOOP
    begins := log.months_end(parent);
    EXIT WHEN begins >= wanted;
    ends := log.month_start(begins, 1);
    name := log.month_name(parent, begins);
    EXECUTE format('SELECT count(*) FROM (SELECT FROM log.%I WHERE at < $1 LIMIT $2) r', later)
      INTO waiting USING ends, movable + 1;
    IF waiting > movable THEN
      RETURN done || format('%s has too many rows of %s to move them now', later, name);
    END IF;
    EXECUTE format('ALTER TABLE log.%I DETACH PARTITION log.%I', parent, later);
    PERFORM log.add_partition(parent, name, format('(%L) TO (%L)', begins, ends));
    EXECUTE format('WITH moved AS (DELETE FROM log.%I WHERE at < $1 RETURNING *)
      INSERT INTO log.%I OVERRIDING SYSTEM VALUE SELECT * FROM moved', later, name) USING ends;
    EXECUTE format('ALTER TABLE log.%I ATTACH PARTITION log.%I FOR VALUES FROM (%L) TO (MAXVALUE)', parent, later, ends);
    done := done || ('made ' || name);
  END LOOP;

  -- What is in <table>_before is older still, and goes by rows.
  IF EXISTS (SELECT FROM log.months(parent) m WHERE m.month < kept) THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM log.%I)', before) INTO found;
    IF NOT found THEN
      EXECUTE format('LOCK TABLE log.%I IN ACCESS EXCLUSIVE MODE', parent);
      EXECUTE format('DROP TABLE log.%I', before);
      FOR name IN SELECT m.name FROM log.months(parent) m WHERE m.month < kept LOOP
        EXECUTE format('DROP TABLE log.%I', name);
        done := done || ('dropped ' || name);
      END LOOP;
      PERFORM log.add_partition(parent, before, format('(MINVALUE) TO (%L)', kept));
    END IF;
  END IF;
  RETURN done;
END $$;

-- For the server, which owns no tables: by the database's own clock, and only this.
CREATE FUNCTION log.renew_months(parent text) RETURNS text[]
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ SELECT log.renew(parent, 50000) $$;

DO $$
DECLARE
  parent text;
  before text;
  bound timestamptz;
  newest timestamptz;
  next_id bigint;
  each record;
BEGIN
  PERFORM log.lock_logs();

  FOREACH parent IN ARRAY ARRAY['activity', 'phi_audit'] LOOP
    before := parent || '_before';
    EXECUTE format('SELECT max(at) FROM log.%I', parent) INTO newest;
    SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''')::timestamptz INTO bound FROM pg_constraint
     WHERE conrelid = format('log.%I', parent)::regclass AND conname = parent || '_until';
    -- Without the bound the table was empty a moment ago.
    bound := coalesce(bound, log.month_start(greatest(newest, now()), CASE WHEN newest IS NULL THEN 0 ELSE 1 END));
    EXECUTE format('SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM log.%I', parent || '_id_seq')
      INTO next_id;

    EXECUTE format('ALTER TABLE log.%I RENAME TO %I', parent, before);
    FOR each IN SELECT i.indexrelid::regclass AS name, c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                 WHERE i.indrelid = format('log.%I', before)::regclass LOOP
      EXECUTE format('ALTER INDEX %s RENAME TO %I', each.name, before || substr(each.relname, length(parent) + 1));
    END LOOP;
    EXECUTE format('ALTER TABLE log.%I ALTER COLUMN id DROP IDENTITY', before);
    EXECUTE format('CREATE TABLE log.%I (LIKE log.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)
      PARTITION BY RANGE (at)', parent, before);
    EXECUTE format('ALTER TABLE log.%I DROP CONSTRAINT IF EXISTS %I', parent, parent || '_until');
    EXECUTE format('ALTER TABLE log.%I ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY', parent);
    EXECUTE format('ALTER TABLE log.%I ALTER COLUMN id RESTART WITH %s', parent, next_id);
    -- The older release goes on at once, with its own rights.
    FOR each IN SELECT r.grantee::regrole::text AS grantee, r.privilege_type FROM pg_class c, aclexplode(c.relacl) r
                 WHERE c.oid = format('log.%I', before)::regclass AND r.grantee NOT IN (0, c.relowner) LOOP
      EXECUTE format('GRANT %s ON log.%I TO %s', each.privilege_type, parent, each.grantee);
    END LOOP;
    EXECUTE format('ALTER TABLE log.%I ATTACH PARTITION log.%I FOR VALUES FROM (MINVALUE) TO (%L)', parent, before, bound);
    EXECUTE format('ALTER TABLE log.%I DROP CONSTRAINT IF EXISTS %I', before, parent || '_until');
    PERFORM log.add_partition(parent, parent || '_later', format('(%L) TO (MAXVALUE)', bound));
    PERFORM log.renew(parent, NULL);
  END LOOP;
END $$;

-- The indexes that <table>_before has become theirs. Its own two of activity, by id and by time, are one in the months:
-- (at, id).
CREATE INDEX activity_key ON log.activity (key_id, at DESC, id DESC) WHERE key_id IS NOT NULL;
CREATE INDEX activity_client ON log.activity (client_id, at DESC, id DESC) WHERE client_id IS NOT NULL;
CREATE INDEX activity_smart ON log.activity (client_id, at DESC) WHERE client_id IS NOT NULL AND door = 'smart';
CREATE INDEX activity_browser ON log.activity (key_id, at DESC) WHERE from_browser AND key_id IS NOT NULL;
CREATE INDEX activity_correlation ON log.activity (correlation_id);
CREATE INDEX activity_claimed_prefix ON log.activity (claimed_prefix, at DESC) WHERE claimed_prefix IS NOT NULL;
CREATE INDEX phi_audit_practice ON log.phi_audit (practice_id, at DESC, id DESC);
CREATE INDEX phi_audit_patient ON log.phi_audit (practice_id, patient_id, at DESC) WHERE patient_id IS NOT NULL;
CREATE INDEX phi_audit_many ON log.phi_audit (practice_id, at) WHERE patient_id IS NULL AND count > 0;
CREATE INDEX phi_audit_correlation ON log.phi_audit (correlation_id);
CREATE INDEX phi_audit_at ON log.phi_audit (at);

-- Rows that are over, of the months that are not over as a whole.
CREATE OR REPLACE FUNCTION log.forget_activity(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  cutoff CONSTANT timestamptz := now() - interval '1 year';
  gone integer;
BEGIN
  DELETE FROM log.activity WHERE at < cutoff AND (at, id) IN (
    SELECT a.at, a.id FROM log.activity a WHERE a.at < cutoff ORDER BY a.at, a.id LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM log.activity_day WHERE day < (now() - interval '13 months')::date;
  RETURN gone;
END $$;

CREATE OR REPLACE FUNCTION log.forget_phi_audit(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  cutoff CONSTANT timestamptz := now() - interval '6 years';
  gone integer;
BEGIN
  DELETE FROM log.export_patients WHERE id IN (
    SELECT id FROM log.export_patients WHERE at < cutoff ORDER BY at, id LIMIT most);
  DELETE FROM log.phi_audit WHERE at < cutoff AND (at, id) IN (
    SELECT a.at, a.id FROM log.phi_audit a WHERE a.at < cutoff ORDER BY a.at, a.id LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;

REVOKE ALL ON FUNCTION log.month_start(timestamptz, integer), log.month_name(text, timestamptz), log.bound_of(oid), log.months(text),
  log.months_end(text), log.add_partition(text, text, text), log.renew(text, bigint), log.renew_months(text) FROM PUBLIC;

DROP FUNCTION log.lock_logs();
