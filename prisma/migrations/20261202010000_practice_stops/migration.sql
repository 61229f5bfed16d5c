-- A practice stops a key, an app, an organization or all access, and ends the stop again.
-- older release: it knows no stops, and obeys them: clinical.live says that a stopped credential is not good. Its
-- 401 has no reason of its own in the activity log.
CREATE TABLE portal.practice_stop (
  id              uuid PRIMARY KEY,
  practice_id     uuid NOT NULL REFERENCES portal.practice (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- One of these, or none: all access.
  client_id       text REFERENCES portal.client (id) ON DELETE CASCADE ON UPDATE CASCADE,
  key_id          uuid REFERENCES portal.api_key (id) ON DELETE CASCADE ON UPDATE CASCADE,
  organization_id uuid REFERENCES portal.organization (id) ON DELETE CASCADE ON UPDATE CASCADE,
  reason          text NOT NULL,
  started_at      timestamptz(3) NOT NULL,
  started_by_id   uuid NOT NULL,
  ended_at        timestamptz(3),
  ended_by_id     uuid,
  CONSTRAINT practice_stop_scope CHECK (num_nonnulls(client_id, key_id, organization_id) <= 1),
  CONSTRAINT practice_stop_end CHECK ((ended_at IS NULL) = (ended_by_id IS NULL))
);

-- One open stop for each target. It also finds the open stops of a practice.
CREATE UNIQUE INDEX practice_stop_open_key ON portal.practice_stop (practice_id, client_id, key_id, organization_id)
  NULLS NOT DISTINCT WHERE ended_at IS NULL;
CREATE INDEX practice_stop_client_id_idx ON portal.practice_stop (client_id);
CREATE INDEX practice_stop_key_id_idx ON portal.practice_stop (key_id);
CREATE INDEX practice_stop_organization_id_idx ON portal.practice_stop (organization_id);

-- One more cause in what clinical.live must hold (decision 166).
CREATE OR REPLACE VIEW portal.live_key_source AS
SELECT k.id AS credential, p.dataset_id, k.practice_id,
  CASE
    WHEN k.revoked_at IS NULL AND k.suspended_at IS NULL AND p.state = 'active'
      AND (k.explorer_session_id IS NULL OR s.id IS NOT NULL)
      -- The practice has not stopped it.
      AND NOT EXISTS (
        SELECT 1 FROM portal.practice_stop x
        WHERE x.practice_id = k.practice_id AND x.ended_at IS NULL
          AND (x.key_id = k.id OR x.organization_id = k.organization_id
            OR num_nonnulls(x.client_id, x.key_id, x.organization_id) = 0))
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

CREATE OR REPLACE VIEW portal.live_token_source AS
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
      -- The practice has not stopped it.
      AND NOT EXISTS (
        SELECT 1 FROM portal.practice_stop x
        WHERE x.practice_id = g.practice_id AND x.ended_at IS NULL
          AND (x.client_id = c.id OR x.organization_id = c.organization_id
            OR num_nonnulls(x.client_id, x.key_id, x.organization_id) = 0))
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

-- A new key or grant holds its practice for sharing, and so meets the stop in one order or the other. A stop of an
-- organization or of all access locks every key and grant of the practice, because an app or a key may be about to
-- change its organization.
CREATE FUNCTION portal.live_after_practice_stop() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE practices uuid[]; wide uuid[]; keys uuid[]; clients text[];
BEGIN
  IF TG_OP <> 'DELETE' THEN
    practices := ARRAY(SELECT n.practice_id FROM after_change n);
    wide := ARRAY(SELECT n.practice_id FROM after_change n WHERE n.client_id IS NULL AND n.key_id IS NULL);
    keys := ARRAY(SELECT n.key_id FROM after_change n WHERE n.key_id IS NOT NULL);
    clients := ARRAY(SELECT n.client_id FROM after_change n WHERE n.client_id IS NOT NULL);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    practices := practices || ARRAY(SELECT o.practice_id FROM before_change o);
    wide := wide || ARRAY(SELECT o.practice_id FROM before_change o WHERE o.client_id IS NULL AND o.key_id IS NULL);
    keys := keys || ARRAY(SELECT o.key_id FROM before_change o WHERE o.key_id IS NOT NULL);
    clients := clients || ARRAY(SELECT o.client_id FROM before_change o WHERE o.client_id IS NOT NULL);
  END IF;
  PERFORM 1 FROM portal.practice p WHERE p.id IN (SELECT unnest(practices)) ORDER BY p.id FOR NO KEY UPDATE;
  PERFORM portal.renew_live(
    ARRAY(SELECT unnest(keys) UNION SELECT k.id FROM portal.api_key k WHERE k.practice_id IN (SELECT unnest(wide))),
    ARRAY(
      SELECT g.id FROM portal."grant" g WHERE g.practice_id IN (SELECT unnest(wide))
      UNION SELECT g.id FROM portal."grant" g
        WHERE g.practice_id IN (SELECT unnest(practices)) AND g.client_id IN (SELECT unnest(clients))));
  RETURN NULL;
END $$;

CREATE TRIGGER live_insert AFTER INSERT ON portal.practice_stop REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_practice_stop();
CREATE TRIGGER live_update AFTER UPDATE ON portal.practice_stop
  REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_practice_stop();
CREATE TRIGGER live_delete AFTER DELETE ON portal.practice_stop REFERENCING OLD TABLE AS before_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_practice_stop();
