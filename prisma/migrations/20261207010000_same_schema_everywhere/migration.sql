-- Some databases ran earlier wordings of four migrations (server/store/earlier-migrations.ts). This makes their schema what
-- it is everywhere else; where it is that already, nothing changes.
-- older release: it calls the same functions with the same arguments, and finds partitions by their parent.

-- Of 20261201020000_live: a plan for each change would cost ten times the change.
ALTER FUNCTION portal.mend_live(uuid[]) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION portal.live_after_api_key() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION portal.live_after_grant() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION portal.live_after_access_token() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION portal.live_after_practice() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION portal.live_after_client() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION portal.live_after_account() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION portal.live_after_client_practice() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION portal.live_after_person() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION portal.live_after_membership() SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION portal.live_after_session() SET plan_cache_mode = force_generic_plan;

-- Of 20261204010000_withheld_patients.
-- No statement joins: the statistics know nothing of a dataset that was made a minute ago, and a plan for "one row" compared
-- every row of it with every row of the chart.
CREATE OR REPLACE FUNCTION clinical.move_charts(here integer, there integer, patients text[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE of smallint; ids text[];
BEGIN
  IF cardinality(patients) = 0 THEN
    RETURN;
  END IF;
  FOR of, ids IN
    SELECT r.type, array_agg(r.id) FROM clinical.resource r
    WHERE r.dataset_id = here AND r.patient_id = ANY (patients) GROUP BY r.type
  LOOP
    UPDATE clinical.name SET dataset_id = there WHERE dataset_id = here AND type = of AND id = ANY (ids);
    UPDATE clinical.identifier SET dataset_id = there WHERE dataset_id = here AND type = of AND id = ANY (ids);
    UPDATE clinical.roster SET dataset_id = there WHERE dataset_id = here AND type = of AND id = ANY (ids);
    UPDATE clinical.link SET dataset_id = there WHERE dataset_id = here AND source_type = of AND source = ANY (ids);
  END LOOP;
  UPDATE clinical.moment SET dataset_id = there WHERE dataset_id = here AND patient_id = ANY (patients);
  UPDATE clinical.coding SET dataset_id = there WHERE dataset_id = here AND patient_id = ANY (patients);
  UPDATE clinical.resource SET dataset_id = there WHERE dataset_id = here AND patient_id = ANY (patients);
END $$;

-- Of 20261205010200_log_months: partitions had their month in digits, and bounds were read from names.
-- `activity_mmxxvii_i`: January 2027.
CREATE OR REPLACE FUNCTION log.month_name(parent text, month timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT parent || '_' || lower(to_char(extract(year FROM month AT TIME ZONE 'UTC')::integer, 'FMRN'))
    || '_' || lower(to_char(month AT TIME ZONE 'UTC', 'FMRM'))
$$;

-- Where a partition begins, or <table>_before ends.
CREATE OR REPLACE FUNCTION log.bound_of(partition oid) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT substring(pg_get_expr(relpartbound, oid) FROM '''([^'']+)''')::timestamptz FROM pg_class WHERE oid = partition
$$;

-- The months that have a partition of their own.
CREATE OR REPLACE FUNCTION log.months(parent text) RETURNS TABLE (month timestamptz, name text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT log.bound_of(c.oid), c.relname::text
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent = format('log.%I', parent)::regclass AND c.relname NOT IN (parent || '_before', parent || '_later')
   ORDER BY 1
$$;

-- From when on rows have no month of their own.
CREATE OR REPLACE FUNCTION log.months_end(parent text) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT log.bound_of(format('log.%I', parent || '_later')::regclass)
$$;
REVOKE ALL ON FUNCTION log.bound_of(oid) FROM PUBLIC;

DO $$
DECLARE
  parent text;
  each record;
  name text;
  index text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['activity', 'phi_audit'] LOOP
    FOR each IN SELECT c.oid, c.relname::text AS old FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                 WHERE i.inhparent = format('log.%I', parent)::regclass AND c.relname ~ '_[0-9]{4}_[0-9]{2}$' LOOP
      name := log.month_name(parent, log.bound_of(each.oid));
      EXECUTE format('ALTER TABLE log.%I RENAME TO %I', each.old, name);
      FOR index IN SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                    WHERE i.indrelid = each.oid AND starts_with(c.relname, each.old) LOOP
        EXECUTE format('ALTER INDEX log.%I RENAME TO %I', index, replace(index, each.old, name));
      END LOOP;
    END LOOP;
  END LOOP;
END $$;
