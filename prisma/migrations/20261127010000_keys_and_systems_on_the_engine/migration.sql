-- Requests for sandbox keys say when something is next due for them, as the subjects of other workflows do.
ALTER TABLE "portal"."sandbox_key_request" ADD COLUMN "next_action_at" TIMESTAMPTZ(3) DEFAULT '1970-01-01 00:00:00+00';
CREATE INDEX "sandbox_key_request_next_action_at_id_idx" ON "portal"."sandbox_key_request"("next_action_at", "id");
CREATE TRIGGER "look_again" BEFORE UPDATE ON "portal"."sandbox_key_request"
  FOR EACH ROW EXECUTE FUNCTION "portal"."look_again"();

-- The release before left an audit row of each step of a sandbox key request or a system authorization, and no event.
-- Its audit rows do not say which state followed; those of the engine do, and have their event already.
CREATE FUNCTION "portal"."step_of_audit"(action TEXT) RETURNS TABLE (kind TEXT, event TEXT, next_state TEXT)
LANGUAGE sql IMMUTABLE AS $$
  SELECT step.kind, step.event, step.next_state FROM (VALUES
    ('system_authorization.requested', 'system_authorization', 'request', 'requested'),
    ('system_authorization.granted', 'system_authorization', 'grant', 'granted'),
    ('system_authorization.declined', 'system_authorization', 'decline', 'declined'),
    ('system_authorization.revoked', 'system_authorization', 'revoke', 'revoked'),
    ('sandbox_key.requested', 'sandbox_key_request', 'request', 'requested'),
    ('sandbox_key.provisioned', 'sandbox_key_request', 'provision', 'ready_to_claim'),
    ('sandbox_key.flagged', 'sandbox_key_request', 'flag', 'manual_review'),
    ('sandbox_key.approved', 'sandbox_key_request', 'approve', 'approved'),
    ('sandbox_key.info_requested', 'sandbox_key_request', 'request_info', 'needs_info'),
    ('sandbox_key.declined', 'sandbox_key_request', 'decline', 'declined'),
    ('sandbox_key.resubmitted', 'sandbox_key_request', 'resubmit', 'manual_review'),
    ('sandbox_key.revealed', 'sandbox_key_request', 'reveal', 'active'),
    ('sandbox_key.claim_expired', 'sandbox_key_request', 'claim_lapse', 'claim_expired'),
    ('sandbox_key.claim_reissued', 'sandbox_key_request', 'reissue', 'ready_to_claim')
  ) AS step(action, kind, event, next_state) WHERE step.action = step_of_audit.action
$$;

-- The role is the one that the person has now: the audit row names the person only.
CREATE FUNCTION "portal"."event_of_audit"(audited "portal"."audit_event") RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  step RECORD;
  subject UUID;
  person UUID;
  role TEXT;
BEGIN
  SELECT * INTO step FROM "portal"."step_of_audit"(audited.action);
  IF NOT FOUND OR audited.detail ? 'to' THEN RETURN; END IF;
  subject := coalesce(CASE WHEN step.event = 'reveal' THEN audited.detail ->> 'requestId' END, audited.subject_id)::uuid;
  person := CASE WHEN audited.actor_kind = 'account' THEN audited.actor_id::uuid END;
  IF person IS NULL THEN
    role := 'system';
  ELSIF step.event IN ('approve', 'request_info') OR (step.event = 'decline' AND step.kind = 'sandbox_key_request') THEN
    role := 'reviewer';
  ELSIF step.event IN ('grant', 'decline', 'revoke') THEN
    role := CASE WHEN EXISTS (
      SELECT 1 FROM "portal"."practice_membership" m
       WHERE m.practice_id = audited.practice_id AND m.account_id = person AND m.role = 'admin'
    ) THEN 'practice_admin' ELSE 'practice_signatory' END;
  ELSE
    role := coalesce((
      SELECT m.role::text FROM "portal"."membership" m
       WHERE m.organization_id = audited.organization_id AND m.account_id = person
    ), 'developer');
  END IF;
  INSERT INTO "portal"."workflow_event" (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, codes, text)
  VALUES (
    step.kind, subject, audited.at, step.event,
    (SELECT e."to" FROM "portal"."workflow_event" e
      WHERE e.subject_kind = step.kind AND e.subject_id = subject ORDER BY e.id DESC LIMIT 1),
    step.next_state, role, person,
    ARRAY(SELECT jsonb_array_elements_text(coalesce(audited.detail -> 'codes', '[]'))),
    audited.detail ->> 'reason'
  );
END
$$;

DO $$
DECLARE
  audited "portal"."audit_event";
BEGIN
  FOR audited IN SELECT a.* FROM "portal"."audit_event" a
    WHERE a.action LIKE 'sandbox\_key.%' OR a.action LIKE 'system\_authorization.%' ORDER BY a.id
  LOOP
    PERFORM "portal"."event_of_audit"(audited);
  END LOOP;
END
$$;

-- While the release before runs beside this one, or after a rollback, its steps are in the timeline too.
CREATE FUNCTION "portal"."copy_audited_step"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "portal"."event_of_audit"(NEW);
  RETURN NULL;
END
$$;
CREATE TRIGGER "copy_step" AFTER INSERT ON "portal"."audit_event"
  FOR EACH ROW WHEN (NEW.action LIKE 'sandbox\_key.%' OR NEW.action LIKE 'system\_authorization.%')
  EXECUTE FUNCTION "portal"."copy_audited_step"();
