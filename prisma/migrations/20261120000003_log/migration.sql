-- Who called what, and who saw whose record. Written by server/audit/recorder.ts, read by
-- server/audit/activity-log.ts. Routes are patterns; no URL, query string, body or answer is kept.
CREATE SCHEMA IF NOT EXISTS log;

-- Every request at an interface, refusals included. Kept a year.
CREATE TABLE log.activity (
  id                    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at                    timestamptz(3) NOT NULL,
  door                  text NOT NULL CHECK (door IN ('fhir', 'bulk', 'rest', 'smart', 'status')),
  environment           text NOT NULL CHECK (environment IN ('sandbox', 'production')),
  -- The key it is logged to; null when no key is known.
  key_id                uuid,
  -- What an unknown or malformed key claims to be; never more than its public part.
  claimed_prefix        text CHECK (length(claimed_prefix) <= 12),
  practice_id           uuid,
  method                text NOT NULL,
  -- The pattern (/patients/{id}), or '*' for a path nothing answers.
  route                 text NOT NULL,
  status                smallint NOT NULL,
  ip                    inet,
  correlation_id        uuid NOT NULL,
  client_correlation_id text CHECK (length(client_correlation_id) <= 64),
  duration_ms           real NOT NULL,
  -- Why it was refused, for the key's owner; null for a served request.
  refusal               text,
  -- The request carried a browser's Origin.
  from_browser          boolean NOT NULL DEFAULT false,
  -- More than one when a flood of equal refusals within one second was folded; the rest of the row is its first.
  count                 integer NOT NULL DEFAULT 1 CHECK (count > 0)
);
CREATE INDEX activity_key ON log.activity (key_id, at DESC, id DESC) WHERE key_id IS NOT NULL;
CREATE INDEX activity_practice ON log.activity (practice_id, at DESC, id DESC) WHERE practice_id IS NOT NULL;
CREATE INDEX activity_correlation ON log.activity (correlation_id);
CREATE INDEX activity_claimed_prefix ON log.activity (claimed_prefix, at DESC) WHERE claimed_prefix IS NOT NULL;
-- Retention.
CREATE INDEX activity_at ON log.activity (at);

-- Per key and UTC day, so that lists and sparklines never count rows.
CREATE TABLE log.activity_day (
  key_id       uuid NOT NULL,
  day          date NOT NULL,
  served       bigint NOT NULL,
  refused      bigint NOT NULL,
  -- The last request that the key authenticated; null when none of the day did.
  last_used_at timestamptz(3),
  PRIMARY KEY (key_id, day)
);

-- The practice's record of access. Kept six years.
CREATE TABLE log.phi_audit (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at             timestamptz(3) NOT NULL,
  practice_id    uuid NOT NULL,
  principal_kind text NOT NULL CHECK (principal_kind IN ('api_key', 'smart_token', 'backend_token', 'session', 'system')),
  principal_id   text NOT NULL,
  -- read · search · export · create · context …
  action         text NOT NULL,
  resource_type  text,
  -- Set when the access concerned one patient.
  patient_id     text COLLATE "C",
  -- Records that left in the answer.
  count          integer NOT NULL,
  purpose        text NOT NULL,
  -- served · refused · failed
  outcome        text NOT NULL CHECK (outcome IN ('served', 'refused', 'failed')),
  correlation_id uuid NOT NULL
);
CREATE INDEX phi_audit_practice ON log.phi_audit (practice_id, at DESC, id DESC);
CREATE INDEX phi_audit_patient ON log.phi_audit (practice_id, patient_id, at DESC) WHERE patient_id IS NOT NULL;
CREATE INDEX phi_audit_correlation ON log.phi_audit (correlation_id);
-- Retention.
CREATE INDEX phi_audit_at ON log.phi_audit (at);
