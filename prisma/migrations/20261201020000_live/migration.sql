-- older release: it decides on the ten tables as before, and its changes of them renew the new rows through the triggers.
-- One narrow row per API key and access token says whether it is good (decision 166), so that a statement that reads
-- records joins one row in place of ten tables. Triggers write it in the transaction that changes one of its sources.

-- No change of a source may fall between the triggers and the first rows.
LOCK TABLE portal.client, portal.practice, portal.session, portal.account, portal.api_key, portal."grant",
  portal.access_token, portal.client_practice, portal.practice_membership, portal.patient_login, portal.membership
  IN SHARE ROW EXCLUSIVE MODE;

-- The credential leads the key, because a change knows credentials and no datasets. A table distributed by dataset_id
-- needs the column in its key, not at its beginning.
CREATE TABLE clinical.live (
  dataset_id  integer NOT NULL,
  -- Id of an API key or an access token.
  credential  uuid NOT NULL,
  practice_id uuid NOT NULL,
  -- Compared with the caller's clock. -infinity: not good, whatever the time.
  good_until  timestamptz NOT NULL,
  -- What a cached principal must agree with: the version of a key, or the types that the practice lets out.
  believed    text NOT NULL,
  PRIMARY KEY (credential, dataset_id)
);

-- Credentials of the explorer, which end with a session.
CREATE INDEX "api_key_explorer_session_id_idx" ON portal.api_key (explorer_session_id)
  WHERE explorer_session_id IS NOT NULL;
CREATE INDEX "grant_explorer_session_id_idx" ON portal."grant" (explorer_session_id)
  WHERE explorer_session_id IS NOT NULL;

-- What clinical.live must hold. The triggers write from it, and a job compares the table with it.
CREATE VIEW portal.live_key_source AS
SELECT k.id AS credential, p.dataset_id, k.practice_id,
  CASE
    WHEN k.revoked_at IS NULL AND k.suspended_at IS NULL AND p.state = 'active'
      AND (k.explorer_session_id IS NULL OR s.id IS NOT NULL)
    THEN least(k.expires_at, k.papers_until, s.expires_at)
    ELSE '-infinity'::timestamptz
  END AS good_until,
  'version ' || k.version AS believed
FROM portal.api_key k
  JOIN portal.practice p ON p.id = k.practice_id
  LEFT JOIN LATERAL (
    SELECT s.id, s.expires_at
    FROM portal.session s
      JOIN portal.account sa ON sa.id = s.account_id
      JOIN portal.membership sm ON sm.account_id = s.account_id AND sm.organization_id = k.organization_id
    WHERE s.id = k.explorer_session_id AND sa.disabled_at IS NULL
      AND (k.level = 'read_only' OR sm.role <> 'viewer')) s ON true;

CREATE VIEW portal.live_token_source AS
SELECT t.id AS credential, p.dataset_id, g.practice_id,
  CASE
    WHEN t.revoked_at IS NULL AND g.revoked_at IS NULL AND a.disabled_at IS NULL
      AND c.suspended_at IS NULL AND c.removed_at IS NULL
      -- The app may be used at the practice.
      AND c.environment = p.environment
      AND (p.purpose <> 'organization_sandbox' OR c.organization_id IS NULL OR c.organization_id = p.organization_id)
      AND (c.every_practice OR c.organization_id = p.organization_id OR EXISTS (
        SELECT 1 FROM portal.client_practice cp WHERE cp.client_id = c.id AND cp.practice_id = p.id))
      -- The person still has the role they agreed in.
      AND CASE g.audience
        WHEN 'backend' THEN true
        WHEN 'clinician' THEN EXISTS (
          SELECT 1 FROM portal.practice_membership pm
          WHERE pm.practice_id = g.practice_id AND pm.account_id = g.account_id AND pm.role = 'clinician')
        ELSE EXISTS (
          SELECT 1 FROM portal.patient_login pl
          WHERE pl.practice_id = g.practice_id AND pl.account_id = g.account_id
            AND pl.patient_id = coalesce(g.patient_id, pl.patient_id)) END
      AND (g.explorer_session_id IS NULL OR s.id IS NOT NULL)
      AND p.state = 'active' AND p.fhir_enabled AND g.audience = ANY (p.fhir_audiences)
    THEN least(t.expires_at, s.expires_at)
    ELSE '-infinity'::timestamptz
  END AS good_until,
  -- A practice without a list lets nobody in; no principal believes in an empty text.
  coalesce('types ' || array_to_string(p.fhir_types, ','), '') AS believed
FROM portal.access_token t
  JOIN portal."grant" g ON g.id = t.grant_id
  JOIN portal.client c ON c.id = g.client_id
  JOIN portal.practice p ON p.id = g.practice_id
  LEFT JOIN portal.account a ON a.id = g.account_id
  LEFT JOIN LATERAL (
    SELECT s.id, s.expires_at
    FROM portal.session s
      JOIN portal.account sa ON sa.id = s.account_id
      JOIN portal.membership sm ON sm.account_id = s.account_id AND sm.organization_id = p.organization_id
    WHERE s.id = g.explorer_session_id AND sa.disabled_at IS NULL) s ON true;

CREATE VIEW portal.live_source AS
SELECT credential, dataset_id, practice_id, good_until, believed FROM portal.live_key_source
UNION ALL
SELECT credential, dataset_id, practice_id, good_until, believed FROM portal.live_token_source;

-- Two changes of one credential must not pass each other: each would write what it sees, and the later would undo the
-- earlier. Whoever changes a source first locks the keys and grants it concerns, in the order of their ids, and reads
-- the sources in a statement after that, which sees what it waited for. A new key or grant, which others cannot see
-- yet, locks its sources instead; a token locks its grant. Only READ COMMITTED lets a later statement see more.
--
-- The plans of these functions are kept, for one row and for a hundred thousand, because a plan for each change would
-- cost ten times the change. So ids come from unnest and are compared by EXCEPT: no plan goes over a list once for
-- each of its rows.
CREATE FUNCTION portal.require_read_committed() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'credentials and what they rest on are changed in READ COMMITTED alone'
      USING ERRCODE = 'feature_not_supported';
  END IF;
END $$;

CREATE FUNCTION portal.write_live_keys(ids uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET join_collapse_limit = 12 AS $$
BEGIN
  PERFORM portal.require_read_committed();
  WITH source AS MATERIALIZED (
    SELECT v.* FROM unnest(ids) u JOIN portal.live_key_source v ON v.credential = u),
  moved AS (
    DELETE FROM clinical.live l USING source s
    WHERE l.credential = s.credential AND l.dataset_id <> s.dataset_id)
  INSERT INTO clinical.live AS l (dataset_id, credential, practice_id, good_until, believed)
  SELECT s.dataset_id, s.credential, s.practice_id, s.good_until, s.believed FROM source s
  ON CONFLICT (credential, dataset_id) DO UPDATE
    SET practice_id = excluded.practice_id, good_until = excluded.good_until, believed = excluded.believed
    WHERE (l.practice_id, l.good_until, l.believed)
      IS DISTINCT FROM (excluded.practice_id, excluded.good_until, excluded.believed);
END $$;

CREATE FUNCTION portal.write_live_tokens(ids uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET join_collapse_limit = 12 AS $$
BEGIN
  PERFORM portal.require_read_committed();
  WITH source AS MATERIALIZED (
    SELECT v.* FROM unnest(ids) u JOIN portal.live_token_source v ON v.credential = u),
  moved AS (
    DELETE FROM clinical.live l USING source s
    WHERE l.credential = s.credential AND l.dataset_id <> s.dataset_id)
  INSERT INTO clinical.live AS l (dataset_id, credential, practice_id, good_until, believed)
  SELECT s.dataset_id, s.credential, s.practice_id, s.good_until, s.believed FROM source s
  ON CONFLICT (credential, dataset_id) DO UPDATE
    SET practice_id = excluded.practice_id, good_until = excluded.good_until, believed = excluded.believed
    WHERE (l.practice_id, l.good_until, l.believed)
      IS DISTINCT FROM (excluded.practice_id, excluded.good_until, excluded.believed);
END $$;

-- Of the keys, and of the tokens of the grants.
CREATE FUNCTION portal.renew_live(keys uuid[], grants uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM portal.api_key k WHERE k.id IN (SELECT unnest(keys)) ORDER BY k.id FOR NO KEY UPDATE;
  PERFORM 1 FROM portal."grant" g WHERE g.id IN (SELECT unnest(grants)) ORDER BY g.id FOR NO KEY UPDATE;
  IF cardinality(keys) > 0 THEN
    PERFORM portal.write_live_keys(keys);
  END IF;
  IF cardinality(grants) > 0 THEN
    PERFORM portal.write_live_tokens(ARRAY(
      SELECT t.id FROM portal.access_token t WHERE t.grant_id IN (SELECT unnest(grants))));
  END IF;
END $$;

-- The server's job may call it with anything: it can only make rows what their sources say.
CREATE FUNCTION portal.mend_live(ids uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM 1 FROM portal.api_key k WHERE k.id IN (SELECT unnest(ids)) ORDER BY k.id FOR NO KEY UPDATE;
  PERFORM 1 FROM portal."grant" g
    WHERE g.id IN (SELECT t.grant_id FROM portal.access_token t WHERE t.id IN (SELECT unnest(ids)))
    ORDER BY g.id FOR NO KEY UPDATE;
  DELETE FROM clinical.live l WHERE l.credential IN (SELECT unnest(ids)) AND NOT EXISTS (
    SELECT 1 FROM portal.live_source v WHERE v.credential = l.credential AND v.dataset_id = l.dataset_id);
  PERFORM portal.write_live_keys(ids);
  PERFORM portal.write_live_tokens(ids);
END $$;

CREATE FUNCTION portal.renew_live_of_sessions(sessions uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM portal.renew_live(
    ARRAY(SELECT k.id FROM portal.api_key k WHERE k.explorer_session_id IN (SELECT unnest(sessions))),
    ARRAY(SELECT g.id FROM portal."grant" g WHERE g.explorer_session_id IN (SELECT unnest(sessions))));
END $$;

-- Rows of a person's roles come and go: whoever gets a credential meanwhile holds the person's account.
CREATE FUNCTION portal.lock_accounts(accounts uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM portal.account a WHERE a.id IN (SELECT unnest(accounts)) ORDER BY a.id FOR NO KEY UPDATE;
END $$;

CREATE FUNCTION portal.hold_sources(clients text[], practices uuid[], sessions uuid[], accounts uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF cardinality(clients) > 0 THEN
    PERFORM 1 FROM portal.client c WHERE c.id IN (SELECT unnest(clients)) ORDER BY c.id FOR SHARE;
  END IF;
  PERFORM 1 FROM portal.practice p WHERE p.id IN (SELECT unnest(practices)) ORDER BY p.id FOR SHARE;
  IF cardinality(sessions) > 0 THEN
    PERFORM 1 FROM portal.session s WHERE s.id IN (SELECT unnest(sessions)) ORDER BY s.id FOR SHARE;
    accounts := accounts || ARRAY(SELECT s.account_id FROM portal.session s WHERE s.id IN (SELECT unnest(sessions)));
  END IF;
  IF cardinality(accounts) > 0 THEN
    PERFORM 1 FROM portal.account a WHERE a.id IN (SELECT unnest(accounts)) ORDER BY a.id FOR SHARE;
  END IF;
END $$;

CREATE FUNCTION portal.live_after_api_key() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE ids uuid[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM clinical.live WHERE credential IN (SELECT o.id FROM before_change o);
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    ids := ARRAY(SELECT n.id FROM after_change n);
    PERFORM portal.hold_sources('{}', ARRAY(SELECT n.practice_id FROM after_change n),
      ARRAY(SELECT n.explorer_session_id FROM after_change n WHERE n.explorer_session_id IS NOT NULL), '{}');
  ELSE
    ids := ARRAY(SELECT DISTINCT c.id FROM (
      SELECT n.id, n.practice_id, n.organization_id, n.level, n.expires_at, n.revoked_at, n.suspended_at, n.version, n.papers_until, n.explorer_session_id
      FROM after_change n
      EXCEPT
      SELECT o.id, o.practice_id, o.organization_id, o.level, o.expires_at, o.revoked_at, o.suspended_at, o.version, o.papers_until, o.explorer_session_id
      FROM before_change o) c);
    IF cardinality(ids) = 0 THEN
      RETURN NULL;
    END IF;
    IF EXISTS (
      SELECT n.id, n.practice_id, n.explorer_session_id
      FROM after_change n
      EXCEPT
      SELECT o.id, o.practice_id, o.explorer_session_id
      FROM before_change o)
    THEN
      DELETE FROM clinical.live WHERE credential IN (
        SELECT o.id FROM before_change o EXCEPT SELECT n.id FROM after_change n);
      PERFORM portal.hold_sources('{}', ARRAY(SELECT n.practice_id FROM after_change n),
        ARRAY(SELECT n.explorer_session_id FROM after_change n WHERE n.explorer_session_id IS NOT NULL), '{}');
    END IF;
  END IF;
  PERFORM portal.write_live_keys(ids);
  RETURN NULL;
END $$;

-- A new grant has no token yet.
CREATE FUNCTION portal.live_after_grant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE ids uuid[]; linked boolean := true;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    ids := ARRAY(SELECT DISTINCT c.id FROM (
      SELECT n.id, n.client_id, n.practice_id, n.audience, n.account_id, n.patient_id, n.revoked_at, n.explorer_session_id
      FROM after_change n
      EXCEPT
      SELECT o.id, o.client_id, o.practice_id, o.audience, o.account_id, o.patient_id, o.revoked_at, o.explorer_session_id
      FROM before_change o) c);
    IF cardinality(ids) = 0 THEN
      RETURN NULL;
    END IF;
    linked := EXISTS (
      SELECT n.id, n.client_id, n.practice_id, n.account_id, n.explorer_session_id
      FROM after_change n
      EXCEPT
      SELECT o.id, o.client_id, o.practice_id, o.account_id, o.explorer_session_id
      FROM before_change o);
  END IF;
  IF linked THEN
    PERFORM portal.hold_sources(
      ARRAY(SELECT n.client_id FROM after_change n),
      ARRAY(SELECT n.practice_id FROM after_change n),
      ARRAY(SELECT n.explorer_session_id FROM after_change n WHERE n.explorer_session_id IS NOT NULL),
      ARRAY(SELECT n.account_id FROM after_change n WHERE n.account_id IS NOT NULL));
  END IF;
  IF TG_OP = 'UPDATE' THEN
    PERFORM portal.renew_live('{}', ids);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION portal.live_after_access_token() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE ids uuid[]; grants uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    ids := ARRAY(SELECT n.id FROM after_change n);
    grants := ARRAY(SELECT n.grant_id FROM after_change n);
  ELSIF TG_OP = 'DELETE' THEN
    grants := ARRAY(SELECT o.grant_id FROM before_change o);
  ELSE
    ids := ARRAY(SELECT DISTINCT c.id FROM (
      SELECT n.id, n.grant_id, n.expires_at, n.revoked_at
      FROM after_change n
      EXCEPT
      SELECT o.id, o.grant_id, o.expires_at, o.revoked_at
      FROM before_change o) c);
    IF cardinality(ids) = 0 THEN
      RETURN NULL;
    END IF;
    grants := ARRAY(SELECT n.grant_id FROM after_change n UNION SELECT o.grant_id FROM before_change o);
  END IF;
  PERFORM 1 FROM portal."grant" g WHERE g.id IN (SELECT unnest(grants)) ORDER BY g.id FOR SHARE;
  IF TG_OP = 'DELETE' THEN
    DELETE FROM clinical.live WHERE credential IN (SELECT o.id FROM before_change o);
  ELSE
    IF TG_OP = 'UPDATE' THEN
      DELETE FROM clinical.live WHERE credential IN (
        SELECT o.id FROM before_change o EXCEPT SELECT n.id FROM after_change n);
    END IF;
    PERFORM portal.write_live_tokens(ids);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION portal.live_after_practice() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM portal.renew_live(
    ARRAY(SELECT k.id FROM portal.api_key k WHERE k.practice_id = NEW.id),
    ARRAY(SELECT g.id FROM portal."grant" g WHERE g.practice_id = NEW.id));
  RETURN NULL;
END $$;

CREATE FUNCTION portal.live_after_client() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM portal.renew_live('{}', ARRAY(SELECT g.id FROM portal."grant" g WHERE g.client_id = NEW.id));
  RETURN NULL;
END $$;

CREATE FUNCTION portal.live_after_account() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE sessions uuid[] := ARRAY(SELECT s.id FROM portal.session s WHERE s.account_id = NEW.id);
BEGIN
  PERFORM portal.renew_live(
    ARRAY(SELECT k.id FROM portal.api_key k WHERE k.explorer_session_id IN (SELECT unnest(sessions))),
    ARRAY(SELECT g.id FROM portal."grant" g WHERE g.account_id = NEW.id
      UNION SELECT g.id FROM portal."grant" g WHERE g.explorer_session_id IN (SELECT unnest(sessions))));
  RETURN NULL;
END $$;

CREATE FUNCTION portal.live_after_client_practice() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE clients text[]; practices uuid[];
BEGIN
  IF TG_OP <> 'DELETE' THEN
    clients := ARRAY(SELECT n.client_id FROM after_change n);
    practices := ARRAY(SELECT n.practice_id FROM after_change n);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    clients := clients || ARRAY(SELECT o.client_id FROM before_change o);
    practices := practices || ARRAY(SELECT o.practice_id FROM before_change o);
  END IF;
  PERFORM 1 FROM portal.client c WHERE c.id IN (SELECT unnest(clients)) ORDER BY c.id FOR NO KEY UPDATE;
  PERFORM portal.renew_live('{}', ARRAY(
    SELECT g.id FROM portal."grant" g WHERE g.client_id IN (SELECT unnest(clients)) AND g.practice_id IN (SELECT unnest(practices))));
  RETURN NULL;
END $$;

-- Of practice_membership and patient_login.
CREATE FUNCTION portal.live_after_person() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE accounts uuid[]; practices uuid[];
BEGIN
  IF TG_OP <> 'DELETE' THEN
    accounts := ARRAY(SELECT n.account_id FROM after_change n);
    practices := ARRAY(SELECT n.practice_id FROM after_change n);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    accounts := accounts || ARRAY(SELECT o.account_id FROM before_change o);
    practices := practices || ARRAY(SELECT o.practice_id FROM before_change o);
  END IF;
  PERFORM portal.lock_accounts(accounts);
  PERFORM portal.renew_live('{}', ARRAY(
    SELECT g.id FROM portal."grant" g WHERE g.account_id IN (SELECT unnest(accounts)) AND g.practice_id IN (SELECT unnest(practices))));
  RETURN NULL;
END $$;

CREATE FUNCTION portal.live_after_membership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE accounts uuid[];
BEGIN
  IF TG_OP <> 'DELETE' THEN
    accounts := ARRAY(SELECT n.account_id FROM after_change n);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    accounts := accounts || ARRAY(SELECT o.account_id FROM before_change o);
  END IF;
  PERFORM portal.lock_accounts(accounts);
  PERFORM portal.renew_live_of_sessions(ARRAY(SELECT s.id FROM portal.session s WHERE s.account_id IN (SELECT unnest(accounts))));
  RETURN NULL;
END $$;

CREATE FUNCTION portal.live_after_session() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM portal.renew_live_of_sessions(ARRAY(SELECT n.id FROM after_change n));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM portal.renew_live_of_sessions(ARRAY(SELECT o.id FROM before_change o));
  ELSE
    PERFORM portal.renew_live_of_sessions(ARRAY[OLD.id, NEW.id]);
  END IF;
  RETURN NULL;
END $$;

-- A function of a trigger needs no right of whoever changes the table.
REVOKE ALL ON FUNCTION portal.require_read_committed(), portal.write_live_keys(uuid[]),
  portal.write_live_tokens(uuid[]), portal.mend_live(uuid[]), portal.renew_live(uuid[], uuid[]),
  portal.renew_live_of_sessions(uuid[]), portal.lock_accounts(uuid[]),
  portal.hold_sources(text[], uuid[], uuid[], uuid[]) FROM PUBLIC;

-- Where rows change by the thousand: once a statement.
CREATE TRIGGER live_insert AFTER INSERT ON portal.api_key REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_api_key();
CREATE TRIGGER live_update AFTER UPDATE ON portal.api_key REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_api_key();
CREATE TRIGGER live_delete AFTER DELETE ON portal.api_key REFERENCING OLD TABLE AS before_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_api_key();

CREATE TRIGGER live_insert AFTER INSERT ON portal."grant" REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_grant();
CREATE TRIGGER live_update AFTER UPDATE ON portal."grant" REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_grant();

CREATE TRIGGER live_insert AFTER INSERT ON portal.access_token REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_access_token();
CREATE TRIGGER live_update AFTER UPDATE ON portal.access_token
  REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_access_token();
CREATE TRIGGER live_delete AFTER DELETE ON portal.access_token REFERENCING OLD TABLE AS before_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_access_token();

CREATE TRIGGER live_insert AFTER INSERT ON portal.client_practice REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_client_practice();
CREATE TRIGGER live_update AFTER UPDATE ON portal.client_practice
  REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_client_practice();
CREATE TRIGGER live_delete AFTER DELETE ON portal.client_practice REFERENCING OLD TABLE AS before_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_client_practice();

CREATE TRIGGER live_insert AFTER INSERT ON portal.practice_membership REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_person();
CREATE TRIGGER live_update AFTER UPDATE ON portal.practice_membership
  REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_person();
CREATE TRIGGER live_delete AFTER DELETE ON portal.practice_membership REFERENCING OLD TABLE AS before_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_person();

CREATE TRIGGER live_insert AFTER INSERT ON portal.patient_login REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_person();
CREATE TRIGGER live_update AFTER UPDATE ON portal.patient_login
  REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_person();
CREATE TRIGGER live_delete AFTER DELETE ON portal.patient_login REFERENCING OLD TABLE AS before_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_person();

CREATE TRIGGER live_insert AFTER INSERT ON portal.membership REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_membership();
CREATE TRIGGER live_update AFTER UPDATE ON portal.membership
  REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_membership();
CREATE TRIGGER live_delete AFTER DELETE ON portal.membership REFERENCING OLD TABLE AS before_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_membership();

CREATE TRIGGER live_insert AFTER INSERT ON portal.session REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_session();
CREATE TRIGGER live_delete AFTER DELETE ON portal.session REFERENCING OLD TABLE AS before_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_session();

-- Where most changes are of other columns: a session is touched by every page.
CREATE TRIGGER live_update AFTER UPDATE ON portal.session FOR EACH ROW
  WHEN ((OLD.id, OLD.account_id, OLD.expires_at) IS DISTINCT FROM (NEW.id, NEW.account_id, NEW.expires_at))
  EXECUTE FUNCTION portal.live_after_session();
CREATE TRIGGER live_update AFTER UPDATE ON portal.account FOR EACH ROW
  WHEN (OLD.disabled_at IS DISTINCT FROM NEW.disabled_at)
  EXECUTE FUNCTION portal.live_after_account();
CREATE TRIGGER live_update AFTER UPDATE ON portal.practice FOR EACH ROW
  WHEN ((OLD.dataset_id, OLD.state, OLD.environment, OLD.purpose, OLD.organization_id, OLD.fhir_enabled,
      OLD.fhir_types, OLD.fhir_audiences)
    IS DISTINCT FROM (NEW.dataset_id, NEW.state, NEW.environment, NEW.purpose, NEW.organization_id, NEW.fhir_enabled,
      NEW.fhir_types, NEW.fhir_audiences))
  EXECUTE FUNCTION portal.live_after_practice();
CREATE TRIGGER live_update AFTER UPDATE ON portal.client FOR EACH ROW
  WHEN ((OLD.environment, OLD.organization_id, OLD.every_practice, OLD.suspended_at, OLD.removed_at)
    IS DISTINCT FROM (NEW.environment, NEW.organization_id, NEW.every_practice, NEW.suspended_at, NEW.removed_at))
  EXECUTE FUNCTION portal.live_after_client();

INSERT INTO clinical.live (dataset_id, credential, practice_id, good_until, believed)
SELECT dataset_id, credential, practice_id, good_until, believed FROM portal.live_source;
