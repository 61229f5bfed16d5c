-- The whole schema with which the history of migrations begins. A database that the 82 migrations before it made has it
-- already: server/store/migrations.ts recognizes such a database and applies nothing.
--
-- Columns of the schema portal are described in prisma/schema.prisma. Rights of the server's role are given after every
-- migration (server/store/roles.ts). Tables of the job queue are graphile-worker's own.

-- Better text compression for the whole database where the server was built with it and we may ask.
-- Never a reason to fail: the embedded build has only pglz.
DO $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM pg_catalog.pg_settings
    WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)
  ) THEN
    EXECUTE pg_catalog.format(
      'ALTER DATABASE %I SET default_toast_compression = ''lz4''', pg_catalog.current_database());
    -- The tables below are made by this very session.
    PERFORM pg_catalog.set_config('default_toast_compression', 'lz4', true);
  END IF;
EXCEPTION WHEN OTHERS THEN
  NULL;
END
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Schema portal: people, organizations, practices, keys, apps, requests, agreements, mail and audit.
-- ---------------------------------------------------------------------------------------------------------------------

CREATE SCHEMA IF NOT EXISTS portal;

-- Which front door a person signs in at. One address may exist once in each.
CREATE TYPE portal.realm AS ENUM ('developer', 'staff', 'practice', 'patient');
-- What a person of the staff does: reviews requests, or runs the installation.
CREATE TYPE portal.staff_role AS ENUM ('reviewer', 'ops');
-- What a person does at a practice; one person may have several roles there.
CREATE TYPE portal.practice_role AS ENUM ('admin', 'signatory', 'clinician');
-- What a person may do in a developer's organization, from the most to the least.
CREATE TYPE portal.organization_role AS ENUM ('owner', 'admin', 'developer', 'viewer');
-- Sandbox data is synthetic; production data is of real patients.
CREATE TYPE portal.environment AS ENUM ('sandbox', 'production');
-- Whether an API key may write.
CREATE TYPE portal.key_level AS ENUM ('read_only', 'full');
-- A suspended practice answers no request of keys and apps.
CREATE TYPE portal.practice_state AS ENUM ('active', 'suspended');
-- For whom an app works: it decides who signs in and which scopes it may ask for.
CREATE TYPE portal.client_audience AS ENUM ('patient', 'clinician', 'backend');
-- How an app proves who it is: not at all, by a secret (Basic), or by a signed assertion.
CREATE TYPE portal.client_authentication AS ENUM ('none', 'client_secret_basic', 'private_key_jwt');

-- A person who signs in: developer, staff, person of a practice or patient.
CREATE TABLE portal.account (
  id                  uuid PRIMARY KEY,
  realm               portal.realm NOT NULL,
  email               text NOT NULL,
  name                text NOT NULL,
  password_hash       text NOT NULL,
  email_verified_at   timestamptz(3),
  staff_role          portal.staff_role,
  disabled_at         timestamptz(3),
  is_demo             boolean NOT NULL DEFAULT false,
  created_at          timestamptz(3) NOT NULL,
  pending_email       text,
  version             integer NOT NULL DEFAULT 0,
  sandbox_practice_id uuid
);
CREATE UNIQUE INDEX account_realm_email_key ON portal.account (realm, email);
CREATE INDEX account_sandbox_practice_id_idx ON portal.account (sandbox_practice_id);

-- A production key rests on the person who vouched for it: it is looked at when that account ends or comes back.
CREATE FUNCTION portal.look_again_at_keys_of_sponsor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE portal.production_key_request SET next_action_at = '1970-01-01 00:00:00+00'
   WHERE sponsor_id = NEW.id AND state IN ('active', 'rotating', 'suspended');
  RETURN NULL;
END $$;
CREATE TRIGGER look_again AFTER UPDATE OF disabled_at ON portal.account
  FOR EACH ROW WHEN (OLD.disabled_at IS DISTINCT FROM NEW.disabled_at)
  EXECUTE FUNCTION portal.look_again_at_keys_of_sponsor();

-- A staff role that one operator requests and another one approves.
CREATE TABLE portal.staff_role_request (
  id              uuid PRIMARY KEY,
  account_id      uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  role            portal.staff_role NOT NULL,
  state           text NOT NULL,
  reason          text NOT NULL,
  requested_by_id uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  created_at      timestamptz(3) NOT NULL,
  expires_at      timestamptz(3) NOT NULL,
  decided_by_id   uuid,
  decided_at      timestamptz(3),
  CONSTRAINT staff_role_request_other_person CHECK (requested_by_id <> account_id),
  CONSTRAINT staff_role_request_two_persons
    CHECK (state <> 'approved' OR (decided_by_id IS NOT NULL AND decided_by_id NOT IN (requested_by_id, account_id)))
);
-- One open request for each account.
CREATE UNIQUE INDEX staff_role_request_one_open ON portal.staff_role_request (account_id) WHERE state = 'open';
CREATE INDEX staff_role_request_account_id_state_idx ON portal.staff_role_request (account_id, state);

-- A signed-in browser. The cookie's value is never stored, only its SHA-256.
CREATE TABLE portal.session (
  id_hash          text PRIMARY KEY,
  id               uuid NOT NULL,
  realm            portal.realm NOT NULL,
  account_id       uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  created_at       timestamptz(3) NOT NULL,
  authenticated_at timestamptz(3) NOT NULL,
  last_seen_at     timestamptz(3) NOT NULL,
  expires_at       timestamptz(3) NOT NULL,
  ip               text NOT NULL,
  user_agent       text NOT NULL,
  second_factor_at timestamptz(3)
);
CREATE UNIQUE INDEX session_id_key ON portal.session (id);
CREATE INDEX session_account_id_idx ON portal.session (account_id);
CREATE INDEX session_expires_at_idx ON portal.session (expires_at);

-- Single-use link tokens of mails: 256 bits, hashed, expiring, consumed by POST.
CREATE TABLE portal.link_token (
  id          uuid PRIMARY KEY,
  token_hash  bytea NOT NULL,
  kind        text NOT NULL,
  account_id  uuid REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  subject_id  uuid,
  created_at  timestamptz(3) NOT NULL,
  expires_at  timestamptz(3) NOT NULL,
  consumed_at timestamptz(3),
  replaced_at timestamptz(3)
);
CREATE UNIQUE INDEX link_token_token_hash_key ON portal.link_token (token_hash);
CREATE INDEX link_token_account_id_kind_idx ON portal.link_token (account_id, kind);
CREATE INDEX link_token_expires_at_idx ON portal.link_token (expires_at);
CREATE INDEX link_token_kind_subject_id_idx ON portal.link_token (kind, subject_id);

-- Attempts per throttled thing (hashed address, IP) and fixed window.
CREATE TABLE portal.throttle (
  key          text NOT NULL,
  window_start timestamptz(3) NOT NULL,
  count        integer NOT NULL,
  PRIMARY KEY (key, window_start)
);
CREATE INDEX throttle_window_start_idx ON portal.throttle (window_start);

-- A developer's team. Keys, apps, requests and agreements belong to it.
CREATE TABLE portal.organization (
  id            uuid PRIMARY KEY,
  slug          text NOT NULL,
  name          text NOT NULL,
  created_by_id uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  created_at    timestamptz(3) NOT NULL,
  blocked_at    timestamptz(3)
);
CREATE UNIQUE INDEX organization_slug_key ON portal.organization (slug);

-- Who belongs to an organization, and in which role.
CREATE TABLE portal.membership (
  organization_id uuid NOT NULL REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE CASCADE,
  account_id      uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  role            portal.organization_role NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, account_id)
);
CREATE INDEX membership_account_id_idx ON portal.membership (account_id);

-- An invitation to an organization, sent by email.
CREATE TABLE portal.invitation (
  id              uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE CASCADE,
  email           text NOT NULL,
  role            portal.organization_role NOT NULL,
  state           text NOT NULL,
  invited_by_id   uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  created_at      timestamptz(3) NOT NULL,
  expires_at      timestamptz(3) NOT NULL,
  accepted_at     timestamptz(3)
);
CREATE INDEX invitation_organization_id_idx ON portal.invitation (organization_id);
CREATE INDEX invitation_state_expires_at_idx ON portal.invitation (state, expires_at);

-- A tenant: one FHIR base, one Group, one dataset at a time.
CREATE TABLE portal.practice (
  id                     uuid PRIMARY KEY,
  slug                   text NOT NULL,
  name                   text NOT NULL,
  environment            portal.environment NOT NULL,
  state                  portal.practice_state NOT NULL DEFAULT 'active',
  fhir_enabled           boolean NOT NULL,
  in_directory           boolean NOT NULL,
  purpose                text NOT NULL,
  dataset_id             integer NOT NULL,
  organization_id        uuid REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE SET NULL,
  created_at             timestamptz(3) NOT NULL,
  fhir_audiences         portal.client_audience[] DEFAULT ARRAY['patient', 'clinician', 'backend']::portal.client_audience[],
  fhir_types             text[] DEFAULT ARRAY[]::text[],
  data_replaced_at       timestamptz(3),
  version                integer NOT NULL DEFAULT 0,
  sealed_people_password bytea,
  -- A slug stands behind /r4/, where the directory has an address of its own.
  CONSTRAINT practice_slug_not_reserved CHECK (slug <> 'endpoints')
);
CREATE UNIQUE INDEX practice_organization_id_environment_key ON portal.practice (organization_id, environment);
CREATE UNIQUE INDEX practice_slug_key ON portal.practice (slug);
ALTER TABLE portal.account ADD CONSTRAINT account_sandbox_practice_id_fkey
  FOREIGN KEY (sandbox_practice_id) REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE;

-- A production key rests on its practice, too.
CREATE FUNCTION portal.look_again_at_keys_of_practice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE portal.production_key_request SET next_action_at = '1970-01-01 00:00:00+00'
   WHERE practice_id = NEW.id AND state IN ('active', 'rotating', 'suspended');
  RETURN NULL;
END $$;
CREATE TRIGGER look_again AFTER UPDATE OF state ON portal.practice
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state)
  EXECUTE FUNCTION portal.look_again_at_keys_of_practice();

-- Subjects of workflows say in next_action_at when something is next due for them, and the tick reads them in this order.
-- 1970 means that the next tick looks at the row: every new one begins so, and so does one that was changed by a release
-- that did not say when it is next due.
CREATE FUNCTION portal.look_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.next_action_at IS NOT DISTINCT FROM OLD.next_action_at THEN
    NEW.next_action_at := '1970-01-01 00:00:00+00';
  END IF;
  RETURN NEW;
END $$;

-- A request for a sandbox key, from the form to the claim of the key.
CREATE TABLE portal.sandbox_key_request (
  id                  uuid PRIMARY KEY,
  organization_id     uuid NOT NULL REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  requested_by_id     uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  name                text NOT NULL,
  project_description text NOT NULL,
  technical_contact   text NOT NULL,
  level               portal.key_level NOT NULL,
  terms_version       text NOT NULL,
  terms_sha256        text NOT NULL,
  state               text NOT NULL,
  version             integer NOT NULL DEFAULT 0,
  idempotency_key     text NOT NULL,
  practice_id         uuid REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE SET NULL,
  claim_expires_at    timestamptz(3),
  reissues            integer NOT NULL DEFAULT 0,
  revealed_at         timestamptz(3),
  created_at          timestamptz(3) NOT NULL,
  updated_at          timestamptz(3) NOT NULL,
  provided_at         timestamptz(3),
  flags               text[] DEFAULT ARRAY[]::text[],
  review_codes        text[] DEFAULT ARRAY[]::text[],
  review_note         text,
  reviewed_by_id      uuid REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE SET NULL,
  reviewed_at         timestamptz(3),
  next_action_at      timestamptz(3) DEFAULT '1970-01-01 00:00:00+00'
);
CREATE UNIQUE INDEX sandbox_key_request_organization_id_idempotency_key_key ON portal.sandbox_key_request
  (organization_id, idempotency_key);
CREATE INDEX sandbox_key_request_next_action_at_id_idx ON portal.sandbox_key_request (next_action_at, id);
CREATE INDEX sandbox_key_request_organization_id_created_at_idx ON portal.sandbox_key_request
  (organization_id, created_at);
CREATE INDEX sandbox_key_request_provided_at_idx ON portal.sandbox_key_request (provided_at);
CREATE INDEX sandbox_key_request_state_claim_expires_at_idx ON portal.sandbox_key_request (state, claim_expires_at);
CREATE TRIGGER look_again BEFORE UPDATE ON portal.sandbox_key_request
  FOR EACH ROW EXECUTE FUNCTION portal.look_again();

-- What a practice allows a key a day, and at which hours.
CREATE TABLE portal.key_cap (
  id               uuid PRIMARY KEY,
  practice_id      uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  calls_per_day    integer,
  patients_per_day integer,
  hours_from       smallint,
  hours_until      smallint,
  zone             text NOT NULL,
  CONSTRAINT key_cap_counts CHECK (calls_per_day > 0 AND patients_per_day > 0),
  CONSTRAINT key_cap_hours CHECK ((hours_from IS NULL) = (hours_until IS NULL)
    AND hours_from BETWEEN 0 AND 1439 AND hours_until BETWEEN 0 AND 1439 AND hours_from <> hours_until)
);
CREATE INDEX key_cap_practice_id_idx ON portal.key_cap (practice_id);

-- A request for a production key, and the access that came of it.
CREATE TABLE portal.production_key_request (
  id                       uuid PRIMARY KEY,
  organization_id          uuid NOT NULL REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  requested_by_id          uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  practice_id              uuid REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE SET NULL,
  practice_slug            text NOT NULL,
  state                    text NOT NULL,
  version                  integer NOT NULL DEFAULT 0,
  name                     text NOT NULL,
  level                    portal.key_level NOT NULL,
  justification            text NOT NULL DEFAULT '',
  purposes                 text[] DEFAULT ARRAY[]::text[],
  data_classes             text[] DEFAULT ARRAY[]::text[],
  term_days                integer NOT NULL,
  signatory_id             uuid,
  signatory_name           text NOT NULL DEFAULT '',
  signatory_title          text NOT NULL DEFAULT '',
  profile                  jsonb,
  submitted_at             timestamptz(3),
  invited_at               timestamptz(3),
  reinvites                integer NOT NULL DEFAULT 0,
  reminders                integer NOT NULL DEFAULT 0,
  sponsor_id               uuid,
  sponsored_at             timestamptz(3),
  sponsor_ended_at         timestamptz(3),
  practice_signatory_id    uuid,
  practice_signatory_name  text NOT NULL DEFAULT '',
  practice_signatory_title text NOT NULL DEFAULT '',
  practice_party           jsonb,
  usage_agreement_id       uuid,
  baa_id                   uuid,
  silent_since             timestamptz(3),
  claimed_by_id            uuid,
  first_approval           jsonb,
  proposal                 jsonb,
  excluded_ids             uuid[] DEFAULT ARRAY[]::uuid[],
  rejected_at              timestamptz(3),
  clock_received_on        text,
  clock_due_on             text,
  clock_due_at             timestamptz(3),
  clock_paused_on          text,
  clock_remaining          integer,
  clock_stopped_at         timestamptz(3),
  clock_used_days          integer,
  approved_at              timestamptz(3),
  claim_expires_at         timestamptz(3),
  reissues                 integer NOT NULL DEFAULT 0,
  revealed_at              timestamptz(3),
  expires_at               timestamptz(3),
  reminded_days            integer,
  renews_id                uuid REFERENCES portal.production_key_request (id) ON UPDATE CASCADE ON DELETE SET NULL,
  open_renewal_of_id       uuid,
  certified_at             timestamptz(3),
  recertify_reminders      integer NOT NULL DEFAULT 0,
  ended_at                 timestamptz(3),
  created_at               timestamptz(3) NOT NULL,
  updated_at               timestamptz(3) NOT NULL,
  clock_escalated          integer NOT NULL DEFAULT 0,
  clock_breached_at        timestamptz(3),
  next_action_at           timestamptz(3) DEFAULT '1970-01-01 00:00:00+00',
  covers_for_id            uuid
);
CREATE UNIQUE INDEX production_key_request_open_renewal_of_id_key ON portal.production_key_request (open_renewal_of_id);
CREATE INDEX production_key_request_next_action_at_id_idx ON portal.production_key_request (next_action_at, id);
CREATE INDEX production_key_request_organization_id_updated_at_idx ON portal.production_key_request
  (organization_id, updated_at);
CREATE INDEX production_key_request_practice_id_state_idx ON portal.production_key_request (practice_id, state);
CREATE INDEX production_key_request_state_updated_at_idx ON portal.production_key_request (state, updated_at);
CREATE TRIGGER look_again BEFORE UPDATE ON portal.production_key_request
  FOR EACH ROW EXECUTE FUNCTION portal.look_again();

-- A REST key. The secret exists only in the answer that revealed it.
CREATE TABLE portal.api_key (
  id                    uuid PRIMARY KEY,
  prefix                text NOT NULL,
  secret_hash           bytea NOT NULL,
  name                  text NOT NULL,
  level                 portal.key_level NOT NULL,
  environment           portal.environment NOT NULL,
  practice_id           uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  organization_id       uuid REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE SET NULL,
  request_id            uuid REFERENCES portal.sandbox_key_request (id) ON UPDATE CASCADE ON DELETE SET NULL,
  created_by_id         uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  created_at            timestamptz(3) NOT NULL,
  expires_at            timestamptz(3) NOT NULL,
  revoked_at            timestamptz(3),
  revoked_by_id         uuid REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE SET NULL,
  revoke_reason         text,
  suspended_at          timestamptz(3),
  version               integer NOT NULL DEFAULT 0,
  rotated_at            timestamptz(3),
  own_expires_at        timestamptz(3),
  replaces_id           uuid REFERENCES portal.api_key (id) ON UPDATE CASCADE ON DELETE SET NULL,
  allowed_networks      text[] DEFAULT ARRAY[]::text[],
  reminded_days         integer,
  leaked_at             timestamptz(3),
  papers_until          timestamptz(3),
  production_request_id uuid REFERENCES portal.production_key_request (id) ON UPDATE CASCADE ON DELETE SET NULL,
  mcp_writes            boolean NOT NULL DEFAULT false,
  explorer              boolean NOT NULL DEFAULT false,
  explorer_session_id   uuid,
  data_classes          text[] NOT NULL DEFAULT '{}'::text[],
  purposes              text[] NOT NULL DEFAULT '{}'::text[],
  narrowed_from         timestamptz(3),
  cap_id                uuid REFERENCES portal.key_cap (id) ON UPDATE CASCADE ON DELETE SET NULL,
  -- What is no network would let nobody in, or everybody.
  CONSTRAINT api_key_allowed_networks_are_networks CHECK (allowed_networks::cidr[] IS NOT NULL),
  CONSTRAINT api_key_explorer_sandbox CHECK (NOT explorer OR environment = 'sandbox'),
  CONSTRAINT api_key_explorer_session CHECK (explorer OR explorer_session_id IS NULL),
  CONSTRAINT api_key_mcp_writes_full CHECK (NOT mcp_writes OR level = 'full')
);
CREATE UNIQUE INDEX api_key_prefix_key ON portal.api_key (prefix);
CREATE UNIQUE INDEX api_key_replaces_id_key ON portal.api_key (replaces_id);
CREATE UNIQUE INDEX api_key_request_id_key ON portal.api_key (request_id);
CREATE UNIQUE INDEX api_key_secret_hash_key ON portal.api_key (secret_hash);
CREATE INDEX api_key_cap_id_idx ON portal.api_key (cap_id);
CREATE INDEX api_key_expires_at_idx ON portal.api_key (expires_at);
CREATE INDEX api_key_explorer_expires_at_idx ON portal.api_key (explorer, expires_at);
CREATE INDEX api_key_explorer_session_id_idx ON portal.api_key (explorer_session_id)
  WHERE explorer_session_id IS NOT NULL;
CREATE INDEX api_key_organization_id_created_at_idx ON portal.api_key (organization_id, created_at);
CREATE INDEX api_key_organization_id_expires_at_idx ON portal.api_key (organization_id, expires_at);
CREATE INDEX api_key_practice_id_idx ON portal.api_key (practice_id);
CREATE INDEX api_key_production_request_id_idx ON portal.api_key (production_request_id);

-- The OAuth registration of an app in one environment; sandbox and production have a row each.
CREATE TABLE portal.client (
  id              text PRIMARY KEY,
  app_id          uuid NOT NULL,
  organization_id uuid REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE SET NULL,
  environment     portal.environment NOT NULL,
  audience        portal.client_audience NOT NULL,
  authentication  portal.client_authentication NOT NULL,
  name            text NOT NULL,
  description     text NOT NULL DEFAULT '',
  homepage        text,
  logo_url        text,
  launch_url      text,
  redirect_uris   text[],
  scope           text NOT NULL,
  jwks_url        text,
  jwks            jsonb,
  every_practice  boolean NOT NULL DEFAULT false,
  introspects_all boolean NOT NULL DEFAULT false,
  created_at      timestamptz(3) NOT NULL,
  suspended_at    timestamptz(3),
  removed_at      timestamptz(3)
);
CREATE UNIQUE INDEX client_app_id_environment_key ON portal.client (app_id, environment);
CREATE INDEX client_organization_id_created_at_idx ON portal.client (organization_id, created_at);

-- A practice stops an app, a key, an organization, or with none of them all access. What it covers is not good until
-- the stop ends; nothing else about it changes.
CREATE TABLE portal.practice_stop (
  id              uuid PRIMARY KEY,
  practice_id     uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  client_id       text REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE CASCADE,
  key_id          uuid REFERENCES portal.api_key (id) ON UPDATE CASCADE ON DELETE CASCADE,
  organization_id uuid REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE CASCADE,
  reason          text NOT NULL,
  started_at      timestamptz(3) NOT NULL,
  started_by_id   uuid NOT NULL,
  ended_at        timestamptz(3),
  ended_by_id     uuid,
  CONSTRAINT practice_stop_end CHECK ((ended_at IS NULL) = (ended_by_id IS NULL)),
  CONSTRAINT practice_stop_scope CHECK (num_nonnulls(client_id, key_id, organization_id) <= 1)
);
-- One open stop for each target. It also finds the open stops of a practice.
CREATE UNIQUE INDEX practice_stop_open_key ON portal.practice_stop
  (practice_id, client_id, key_id, organization_id) NULLS NOT DISTINCT WHERE ended_at IS NULL;
CREATE INDEX practice_stop_client_id_idx ON portal.practice_stop (client_id);
CREATE INDEX practice_stop_key_id_idx ON portal.practice_stop (key_id);
CREATE INDEX practice_stop_organization_id_idx ON portal.practice_stop (organization_id);

-- A patient whom a practice withholds from keys, apps and backend systems. While the row is open, triggers keep the
-- chart where no interface reads.
CREATE TABLE portal.withheld_patient (
  id            uuid PRIMARY KEY,
  practice_id   uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  patient_id    text COLLATE "C" NOT NULL,
  reason        text NOT NULL,
  started_at    timestamptz(3) NOT NULL,
  started_by_id uuid NOT NULL,
  ended_at      timestamptz(3),
  ended_by_id   uuid,
  CONSTRAINT withheld_patient_end CHECK ((ended_at IS NULL) = (ended_by_id IS NULL))
);
-- Open ones; one for each patient.
CREATE UNIQUE INDEX withheld_patient_open_key ON portal.withheld_patient (practice_id, patient_id)
  WHERE ended_at IS NULL;
CREATE INDEX withheld_patient_practice_id_idx ON portal.withheld_patient (practice_id, started_at DESC, id DESC);

-- The charts of a dataset as the practice's open rows say. The caller holds the dataset's lock alone.
CREATE FUNCTION portal.align_withheld(practice uuid, dataset integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE withheld text[]; hidden text[];
BEGIN
  withheld := ARRAY(
    SELECT w.patient_id FROM portal.withheld_patient w WHERE w.practice_id = practice AND w.ended_at IS NULL);
  hidden := ARRAY(
    SELECT DISTINCT r.patient_id FROM clinical.resource r
    WHERE r.dataset_id = -dataset AND r.patient_id IS NOT NULL);
  IF cardinality(withheld) > 0 AND EXISTS (
    SELECT 1 FROM portal.practice p WHERE p.dataset_id = dataset AND p.id <> practice)
  THEN
    RAISE EXCEPTION 'data of several practices withholds nobody' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  PERFORM clinical.move_charts(dataset, -dataset, withheld);
  PERFORM clinical.move_charts(-dataset, dataset, ARRAY(SELECT unnest(hidden) EXCEPT SELECT unnest(withheld)));
END $$;

-- Writers and exports hold the dataset's lock: none of them goes on with a chart that has moved.
CREATE FUNCTION portal.withhold_after_row() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE dataset integer;
BEGIN
  SELECT p.dataset_id INTO dataset FROM portal.practice p WHERE p.id = NEW.practice_id;
  PERFORM pg_advisory_xact_lock(727073701, dataset);
  PERFORM 1 FROM portal.practice p WHERE p.id = NEW.practice_id AND p.dataset_id = dataset FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the practice moved to another dataset meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;
  PERFORM portal.align_withheld(NEW.practice_id, dataset);
  RETURN NULL;
END $$;
CREATE TRIGGER withhold_insert AFTER INSERT ON portal.withheld_patient FOR EACH ROW
  EXECUTE FUNCTION portal.withhold_after_row();
CREATE TRIGGER withhold_update AFTER UPDATE OF ended_at ON portal.withheld_patient FOR EACH ROW
  EXECUTE FUNCTION portal.withhold_after_row();

-- A reset, a snapshot or an import puts other data in place: who is withheld stays withheld.
CREATE FUNCTION portal.withhold_after_move() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM portal.withheld_patient w WHERE w.practice_id = NEW.id) THEN
    PERFORM pg_advisory_xact_lock(727073701, NEW.dataset_id);
    PERFORM portal.align_withheld(NEW.id, NEW.dataset_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER withhold_move AFTER UPDATE OF dataset_id ON portal.practice FOR EACH ROW
  WHEN (OLD.dataset_id <> NEW.dataset_id) EXECUTE FUNCTION portal.withhold_after_move();

-- A patient, or somebody who acts for them, asks the practice for no further access by keys and apps.
CREATE TABLE portal.withhold_request (
  id            uuid PRIMARY KEY,
  practice_id   uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  patient_id    text COLLATE "C" NOT NULL,
  account_id    uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  created_at    timestamptz(3) NOT NULL,
  decided_at    timestamptz(3),
  decided_by_id uuid,
  outcome       text CHECK (outcome IN ('withheld', 'declined')),
  answer        text,
  withheld_id   uuid REFERENCES portal.withheld_patient (id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT withhold_request_decision CHECK (num_nulls(decided_at, decided_by_id, outcome) IN (0, 3))
);
-- One open request for each patient.
CREATE UNIQUE INDEX withhold_request_open_key ON portal.withhold_request (practice_id, patient_id)
  WHERE decided_at IS NULL;
CREATE INDEX withhold_request_account_id_idx ON portal.withhold_request (account_id);
CREATE INDEX withhold_request_withheld_id_idx ON portal.withhold_request (withheld_id);

-- Who works at a practice, and in which role.
CREATE TABLE portal.practice_membership (
  practice_id     uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  account_id      uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  role            portal.practice_role NOT NULL,
  practitioner_id text,
  created_at      timestamptz(3) NOT NULL,
  PRIMARY KEY (practice_id, account_id, role)
);
CREATE INDEX practice_membership_account_id_idx ON portal.practice_membership (account_id);

-- Which patients a patient-realm account may act for: itself, or a child by proxy.
CREATE TABLE portal.patient_login (
  practice_id       uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  account_id        uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  patient_id        text NOT NULL,
  relationship      text NOT NULL,
  created_at        timestamptz(3) NOT NULL,
  related_person_id text,
  PRIMARY KEY (practice_id, account_id, patient_id)
);
CREATE INDEX patient_login_account_id_idx ON portal.patient_login (account_id);

-- What a key or app did at a practice on a day, UTC.
CREATE TABLE portal.access_day (
  practice_id  uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  subject_kind text NOT NULL,
  subject_id   text NOT NULL,
  day          date NOT NULL,
  figures      jsonb NOT NULL,
  PRIMARY KEY (practice_id, subject_kind, subject_id, day),
  CONSTRAINT access_day_kind CHECK (subject_kind IN ('key', 'app'))
);
CREATE INDEX access_day_day_idx ON portal.access_day (day);

-- One row: the last day that is counted.
CREATE TABLE portal.access_counted (
  id      smallint PRIMARY KEY,
  through date NOT NULL,
  CONSTRAINT access_counted_single CHECK (id = 1)
);

-- The name that a practice gives to a network.
CREATE TABLE portal.practice_network (
  id          uuid PRIMARY KEY,
  practice_id uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  network     text NOT NULL,
  label       text NOT NULL,
  country     text,
  created_at  timestamptz(6) NOT NULL,
  CONSTRAINT practice_network_country CHECK (country ~ '^[A-Z]{2}$')
);
CREATE UNIQUE INDEX practice_network_practice_id_network_key ON portal.practice_network (practice_id, network);

-- When a practice is alerted. Without a row the settings of the contract hold.
CREATE TABLE portal.practice_alert_settings (
  practice_id uuid PRIMARY KEY REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  version     integer NOT NULL DEFAULT 0,
  rules       jsonb NOT NULL,
  by_email    boolean NOT NULL,
  opens       smallint NOT NULL,
  closes      smallint NOT NULL,
  days        smallint[] NOT NULL,
  zone        text NOT NULL,
  CONSTRAINT practice_alert_settings_hours CHECK (opens >= 0 AND opens < closes AND closes <= 24)
);

-- Something unusual about a key or app on a day.
CREATE TABLE portal.access_alert (
  id                 uuid PRIMARY KEY,
  practice_id        uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  rule               text NOT NULL,
  subject_kind       text NOT NULL,
  subject_id         text NOT NULL,
  name               text NOT NULL,
  organization_name  text NOT NULL,
  day                date NOT NULL,
  explanation        text NOT NULL,
  created_at         timestamptz(6) NOT NULL,
  acknowledged_at    timestamptz(6),
  acknowledged_by_id uuid REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE SET NULL
);
-- One for each rule, key or app, and day.
CREATE UNIQUE INDEX access_alert_once ON portal.access_alert (practice_id, subject_kind, subject_id, rule, day);
CREATE INDEX access_alert_acknowledged_by_id_idx ON portal.access_alert (acknowledged_by_id);
CREATE INDEX access_alert_practice_id_created_at_idx ON portal.access_alert (practice_id, created_at DESC);

-- The annual review of everything that reaches a practice, as it was signed off.
CREATE TABLE portal.access_review (
  id           uuid PRIMARY KEY,
  practice_id  uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  signed_at    timestamptz(6) NOT NULL,
  signed_by_id uuid REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE SET NULL,
  lines        jsonb NOT NULL,
  note         text NOT NULL
);
CREATE INDEX access_review_practice_id_signed_at_idx ON portal.access_review (practice_id, signed_at DESC);
CREATE INDEX access_review_signed_by_id_idx ON portal.access_review (signed_by_id);

-- What was used of a cap on a day of its zone.
CREATE TABLE portal.key_cap_day (
  cap_id   uuid NOT NULL REFERENCES portal.key_cap (id) ON UPDATE CASCADE ON DELETE CASCADE,
  day      date NOT NULL,
  calls    integer NOT NULL DEFAULT 0,
  patients integer NOT NULL DEFAULT 0,
  PRIMARY KEY (cap_id, day)
);

-- Whose records a key disclosed on a day of its cap's zone.
CREATE TABLE portal.key_cap_patient (
  cap_id     uuid NOT NULL REFERENCES portal.key_cap (id) ON UPDATE CASCADE ON DELETE CASCADE,
  day        date NOT NULL,
  patient_id text NOT NULL,
  PRIMARY KEY (cap_id, day, patient_id)
);

-- Counts patients who are new today, all of them or none. One statement for its caller; inside, a statement after the
-- lock sees what the lock waited for.
CREATE FUNCTION portal.take_patients(cap uuid, today date, asked text[], most integer) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE known integer; fresh text[];
BEGIN
  -- Most calls are about patients of before: they lock nothing.
  fresh := ARRAY(SELECT a FROM unnest(asked) a EXCEPT
    SELECT p.patient_id FROM portal.key_cap_patient p
    WHERE p.cap_id = cap AND p.day = today AND p.patient_id IN (SELECT unnest(asked)));
  IF cardinality(fresh) = 0 THEN
    RETURN true;
  END IF;
  INSERT INTO portal.key_cap_day (cap_id, day) VALUES (cap, today) ON CONFLICT DO NOTHING;
  SELECT d.patients INTO known FROM portal.key_cap_day d WHERE d.cap_id = cap AND d.day = today FOR UPDATE;
  fresh := ARRAY(SELECT f FROM unnest(fresh) f EXCEPT
    SELECT p.patient_id FROM portal.key_cap_patient p
    WHERE p.cap_id = cap AND p.day = today AND p.patient_id IN (SELECT unnest(fresh)));
  IF known + cardinality(fresh) > most THEN
    RETURN false;
  END IF;
  INSERT INTO portal.key_cap_patient (cap_id, day, patient_id) SELECT cap, today, unnest(fresh);
  UPDATE portal.key_cap_day d SET patients = d.patients + cardinality(fresh) WHERE d.cap_id = cap AND d.day = today;
  RETURN true;
END $$;

-- Mail to be sent, written in the transaction of the change it tells about.
CREATE TABLE portal.outbox_mail (
  id              uuid PRIMARY KEY,
  template        text NOT NULL,
  to_address      text NOT NULL,
  props           jsonb NOT NULL,
  sealed_links    bytea,
  message_id      text NOT NULL,
  thread_id       text,
  state           text NOT NULL DEFAULT 'waiting',
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL,
  last_error      text,
  correlation_id  text,
  created_at      timestamptz(3) NOT NULL,
  sending_at      timestamptz(3),
  sending_by      text,
  sent_at         timestamptz(3),
  left_unsent_at  timestamptz(3)
);
CREATE UNIQUE INDEX outbox_mail_message_id_key ON portal.outbox_mail (message_id);
CREATE INDEX outbox_mail_created_at_idx ON portal.outbox_mail (created_at);
CREATE INDEX outbox_mail_state_next_attempt_at_idx ON portal.outbox_mail (state, next_attempt_at);

-- The local mailbox of a newcomer without an SMTP server (/dev/mail).
CREATE TABLE portal.mailbox_message (
  id           uuid PRIMARY KEY,
  outbox_id    uuid NOT NULL,
  to_address   text NOT NULL,
  from_address text NOT NULL,
  subject      text NOT NULL,
  template     text NOT NULL,
  html         text NOT NULL,
  text         text NOT NULL,
  headers      jsonb NOT NULL,
  at           timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX mailbox_message_outbox_id_key ON portal.mailbox_message (outbox_id);
CREATE INDEX mailbox_message_at_idx ON portal.mailbox_message (at);

-- One row per transition, in the transition's transaction; chained later by the sealer.
CREATE TABLE portal.audit_event (
  id              bigserial PRIMARY KEY,
  at              timestamptz(3) NOT NULL,
  actor_kind      text NOT NULL,
  actor_id        text,
  organization_id uuid,
  practice_id     uuid,
  action          text NOT NULL,
  subject_kind    text NOT NULL,
  subject_id      text,
  detail          jsonb NOT NULL,
  ip              text,
  correlation_id  text,
  chain_hash      bytea,
  -- The place of a sealed row in the chain: rows commit in another order than that of their ids.
  chain_number    bigint
);
CREATE UNIQUE INDEX audit_event_chain_number_key ON portal.audit_event (chain_number);
CREATE INDEX audit_event_organization_id_id_idx ON portal.audit_event (organization_id, id);
CREATE INDEX audit_event_practice_id_id_idx ON portal.audit_event (practice_id, id);
CREATE INDEX audit_event_subject_kind_subject_id_idx ON portal.audit_event (subject_kind, subject_id);

-- Releases without events of sandbox keys and system authorizations left an audit row of each step. Their audit rows do
-- not say which state followed; those of the engine do, and have their event already.
CREATE FUNCTION portal.step_of_audit(action text) RETURNS TABLE (kind text, event text, next_state text)
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
CREATE FUNCTION portal.event_of_audit(audited portal.audit_event) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  step RECORD;
  subject UUID;
  person UUID;
  role TEXT;
BEGIN
  SELECT * INTO step FROM portal.step_of_audit(audited.action);
  IF NOT FOUND OR audited.detail ? 'to' THEN RETURN; END IF;
  subject := coalesce(CASE WHEN step.event = 'reveal' THEN audited.detail ->> 'requestId' END, audited.subject_id)::uuid;
  person := CASE WHEN audited.actor_kind = 'account' THEN audited.actor_id::uuid END;
  IF person IS NULL THEN
    role := 'system';
  ELSIF step.event IN ('approve', 'request_info') OR (step.event = 'decline' AND step.kind = 'sandbox_key_request') THEN
    role := 'reviewer';
  ELSIF step.event IN ('grant', 'decline', 'revoke') THEN
    role := CASE WHEN EXISTS (
      SELECT 1 FROM portal.practice_membership m
       WHERE m.practice_id = audited.practice_id AND m.account_id = person AND m.role = 'admin'
    ) THEN 'practice_admin' ELSE 'practice_signatory' END;
  ELSE
    role := coalesce((
      SELECT m.role::text FROM portal.membership m
       WHERE m.organization_id = audited.organization_id AND m.account_id = person
    ), 'developer');
  END IF;
  INSERT INTO portal.workflow_event (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, codes, text)
  VALUES (
    step.kind, subject, audited.at, step.event,
    (SELECT e."to" FROM portal.workflow_event e
      WHERE e.subject_kind = step.kind AND e.subject_id = subject ORDER BY e.id DESC LIMIT 1),
    step.next_state, role, person,
    ARRAY(SELECT jsonb_array_elements_text(coalesce(audited.detail -> 'codes', '[]'))),
    audited.detail ->> 'reason'
  );
END $$;

-- While such a release runs beside this one, or after a rollback, its steps are in the timeline, too.
CREATE FUNCTION portal.copy_audited_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM portal.event_of_audit(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER copy_step AFTER INSERT ON portal.audit_event
  FOR EACH ROW WHEN (NEW.action LIKE 'sandbox\_key.%' OR NEW.action LIKE 'system\_authorization.%')
  EXECUTE FUNCTION portal.copy_audited_step();

-- A signed head of the audit chain. The same line stands in the files of every head folder (audit/head-folder.ts).
CREATE TABLE portal.audit_head (
  sequence     bigint PRIMARY KEY,
  follows      bigint NOT NULL,
  chain_number bigint NOT NULL,
  chain_hash   bytea NOT NULL,
  at           timestamptz(3) NOT NULL,
  mac          bytea NOT NULL,
  written_to   text[] NOT NULL DEFAULT '{}'::text[]
);

-- A secret of an app; only its hash is stored. At most two live at a time, so that a secret can be changed without an
-- outage.
CREATE TABLE portal.client_secret (
  id         uuid PRIMARY KEY,
  client_id  text NOT NULL REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE CASCADE,
  hash       bytea NOT NULL,
  hint       text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  shown_at   timestamptz(3)
);
CREATE INDEX client_secret_client_id_idx ON portal.client_secret (client_id);

-- A practice at which an app that is not for every practice may be used.
CREATE TABLE portal.client_practice (
  client_id   text NOT NULL REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE CASCADE,
  practice_id uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  enabled_at  timestamptz(3) NOT NULL,
  PRIMARY KEY (client_id, practice_id)
);
CREATE INDEX client_practice_practice_id_idx ON portal.client_practice (practice_id);

-- Public keys fetched from a client's JWKS URL.
CREATE TABLE portal.jwks_cache (
  url          text PRIMARY KEY,
  jwks         jsonb,
  fetched_at   timestamptz(3),
  expires_at   timestamptz(3),
  attempted_at timestamptz(3) NOT NULL,
  failure      text
);

-- The server's own keys for id_tokens. The private half is sealed by the keyring.
CREATE TABLE portal.signing_key (
  kid            text PRIMARY KEY,
  algorithm      text NOT NULL,
  public_jwk     jsonb NOT NULL,
  sealed_private bytea NOT NULL,
  slot           text,
  created_at     timestamptz(3) NOT NULL,
  retired_at     timestamptz(3)
);
CREATE UNIQUE INDEX signing_key_slot_key ON portal.signing_key (slot);

-- What an EHR knew when it launched an app; consumed by the authorize request that names it.
CREATE TABLE portal.launch_context (
  id                  uuid PRIMARY KEY,
  token_hash          bytea NOT NULL,
  practice_id         uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  client_id           text NOT NULL REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE CASCADE,
  patient_id          text,
  encounter_id        text,
  practitioner_id     text,
  intent              text,
  need_patient_banner boolean NOT NULL DEFAULT true,
  created_at          timestamptz(3) NOT NULL,
  expires_at          timestamptz(3) NOT NULL,
  consumed_at         timestamptz(3)
);
CREATE UNIQUE INDEX launch_context_token_hash_key ON portal.launch_context (token_hash);
CREATE INDEX launch_context_expires_at_idx ON portal.launch_context (expires_at);

-- An authorize request whose every check has passed, waiting for a person.
CREATE TABLE portal.authorization_request (
  id             uuid PRIMARY KEY,
  browser_hash   bytea NOT NULL,
  client_id      text NOT NULL REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE CASCADE,
  practice_id    uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  redirect_uri   text NOT NULL,
  state          text NOT NULL,
  nonce          text,
  code_challenge text NOT NULL,
  scope          text NOT NULL,
  launch_id      uuid REFERENCES portal.launch_context (id) ON UPDATE CASCADE ON DELETE SET NULL,
  created_at     timestamptz(3) NOT NULL,
  expires_at     timestamptz(3) NOT NULL,
  decided_at     timestamptz(3)
);
CREATE INDEX authorization_request_expires_at_idx ON portal.authorization_request (expires_at);

-- What a person or a practice agreed to. Tokens come from it and die with it.
CREATE TABLE portal."grant" (
  id                  uuid PRIMARY KEY,
  client_id           text NOT NULL REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  practice_id         uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  audience            portal.client_audience NOT NULL,
  account_id          uuid REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE SET NULL,
  session_id          uuid,
  scope               text NOT NULL,
  patient_id          text,
  encounter_id        text,
  fhir_user           text,
  intent              text,
  need_patient_banner boolean,
  created_at          timestamptz(3) NOT NULL,
  authenticated_at    timestamptz(3),
  activated_at        timestamptz(3),
  revoked_at          timestamptz(3),
  revoke_reason       text,
  explorer_session_id uuid,
  chosen_boxes        text[] DEFAULT ARRAY[]::text[],
  refused_boxes       text[] DEFAULT ARRAY[]::text[]
);
CREATE INDEX grant_account_id_idx ON portal."grant" (account_id);
CREATE INDEX grant_client_id_idx ON portal."grant" (client_id);
CREATE INDEX grant_explorer_session_id_idx ON portal."grant" (explorer_session_id)
  WHERE explorer_session_id IS NOT NULL;
CREATE INDEX grant_practice_id_audience_idx ON portal."grant" (practice_id, audience);

-- A code that an app exchanges once for tokens. Only its SHA-256 is stored.
CREATE TABLE portal.authorization_code (
  code_hash      bytea PRIMARY KEY,
  grant_id       uuid NOT NULL REFERENCES portal."grant" (id) ON UPDATE CASCADE ON DELETE CASCADE,
  redirect_uri   text NOT NULL,
  code_challenge text NOT NULL,
  nonce          text,
  created_at     timestamptz(3) NOT NULL,
  expires_at     timestamptz(3) NOT NULL,
  consumed_at    timestamptz(3)
);
CREATE INDEX authorization_code_expires_at_idx ON portal.authorization_code (expires_at);
CREATE INDEX authorization_code_grant_id_idx ON portal.authorization_code (grant_id);

-- An access token of a grant. Only its SHA-256 is stored.
CREATE TABLE portal.access_token (
  id           uuid PRIMARY KEY,
  token_hash   bytea NOT NULL,
  grant_id     uuid NOT NULL REFERENCES portal."grant" (id) ON UPDATE CASCADE ON DELETE CASCADE,
  scope        text NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  expires_at   timestamptz(3) NOT NULL,
  revoked_at   timestamptz(3),
  issued_by_id uuid
);
CREATE UNIQUE INDEX access_token_token_hash_key ON portal.access_token (token_hash);
CREATE INDEX access_token_expires_at_idx ON portal.access_token (expires_at);
CREATE INDEX access_token_grant_id_idx ON portal.access_token (grant_id);

-- A refresh token of a grant, replaced at each use. Only its SHA-256 is stored.
CREATE TABLE portal.refresh_token (
  id         uuid PRIMARY KEY,
  token_hash bytea NOT NULL,
  grant_id   uuid NOT NULL REFERENCES portal."grant" (id) ON UPDATE CASCADE ON DELETE CASCADE,
  scope      text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  rotated_at timestamptz(3)
);
CREATE UNIQUE INDEX refresh_token_token_hash_key ON portal.refresh_token (token_hash);
CREATE INDEX refresh_token_expires_at_idx ON portal.refresh_token (expires_at);
CREATE INDEX refresh_token_grant_id_idx ON portal.refresh_token (grant_id);

-- A `jti` that was accepted once.
CREATE TABLE portal.used_assertion (
  client_id  text NOT NULL REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE CASCADE,
  jti        text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (client_id, jti)
);
CREATE INDEX used_assertion_expires_at_idx ON portal.used_assertion (expires_at);

-- What was checked of an assertion that was refused; the assertion itself is not kept.
CREATE TABLE portal.assertion_attempt (
  id             uuid PRIMARY KEY,
  client_id      text NOT NULL REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE CASCADE,
  at             timestamptz(3) NOT NULL,
  correlation_id text NOT NULL,
  report         jsonb NOT NULL
);
CREATE INDEX assertion_attempt_at_idx ON portal.assertion_attempt (at);
CREATE INDEX assertion_attempt_client_id_at_idx ON portal.assertion_attempt (client_id, at);

-- A practice's word on a backend system. One row per pair; its history is in the audit trail.
CREATE TABLE portal.practice_system_authorization (
  id            uuid PRIMARY KEY,
  practice_id   uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  client_id     text NOT NULL REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  state         text NOT NULL,
  version       integer NOT NULL DEFAULT 0,
  scope         text NOT NULL,
  purpose       text NOT NULL,
  requested_at  timestamptz(3) NOT NULL,
  decided_at    timestamptz(3),
  decided_by_id uuid,
  reason        text,
  grant_id      uuid REFERENCES portal."grant" (id) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE UNIQUE INDEX practice_system_authorization_practice_id_client_id_key ON portal.practice_system_authorization
  (practice_id, client_id);
CREATE INDEX practice_system_authorization_client_id_idx ON portal.practice_system_authorization (client_id);

-- The seed of somebody's authenticator app, sealed by the keyring.
CREATE TABLE portal.totp_secret (
  account_id    uuid PRIMARY KEY REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  sealed_secret bytea NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  confirmed_at  timestamptz(3),
  last_step     integer
);

-- A single-use code in place of the authenticator app.
CREATE TABLE portal.recovery_code (
  id         uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  code_hash  bytea NOT NULL,
  used_at    timestamptz(3)
);
CREATE INDEX recovery_code_account_id_idx ON portal.recovery_code (account_id);

-- Higher limits granted to an app on request, in place of those of the limits table.
CREATE TABLE portal.client_limit (
  client_id  text PRIMARY KEY,
  burst      integer NOT NULL,
  sustained  integer NOT NULL,
  reason     text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT client_limit_positive CHECK (burst > 0 AND sustained >= burst)
);

-- A bulk export of a practice's population: what was asked, how far it is, what came of it.
CREATE TABLE portal.bulk_export (
  id                  uuid PRIMARY KEY,
  practice_id         uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  running_practice_id uuid,
  client_id           text NOT NULL REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  state               text NOT NULL,
  base                text NOT NULL,
  request             text NOT NULL,
  plan                jsonb NOT NULL,
  since               text,
  created_at          timestamptz(3) NOT NULL,
  attempt             integer NOT NULL DEFAULT 0,
  written             integer NOT NULL DEFAULT 0,
  total               integer,
  polled_at           timestamptz(3),
  transaction_time    timestamptz(3),
  ended_at            timestamptz(3),
  links_end_at        timestamptz(3),
  files               jsonb NOT NULL DEFAULT '[]',
  manifest            text,
  failure             text,
  removed_at          timestamptz(3),
  lab                 jsonb,
  ready_at            timestamptz(3),
  issues              jsonb NOT NULL DEFAULT '[]',
  -- One at a time in a practice is what the unique column says; that it says it of every running one, this.
  CONSTRAINT bulk_export_state CHECK (
    state IN ('running', 'complete', 'failed', 'cancelled') AND
    (running_practice_id IS NOT NULL) = (state = 'running') AND
    (running_practice_id IS NULL OR running_practice_id = practice_id) AND
    (manifest IS NOT NULL OR state NOT IN ('complete', 'failed'))
  )
);
CREATE UNIQUE INDEX bulk_export_running_practice_id_key ON portal.bulk_export (running_practice_id);
CREATE INDEX bulk_export_client_id_created_at_idx ON portal.bulk_export (client_id, created_at);
CREATE INDEX bulk_export_practice_id_created_at_idx ON portal.bulk_export (practice_id, created_at);
CREATE INDEX bulk_export_removed_at_links_end_at_idx ON portal.bulk_export (removed_at, links_end_at);

-- Limits of one key in place of the published ones; the newest that has not ended counts.
CREATE TABLE portal.key_limit_grant (
  id            uuid PRIMARY KEY,
  key_id        uuid NOT NULL REFERENCES portal.api_key (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  burst         integer NOT NULL CHECK (burst > 0),
  sustained     integer NOT NULL CHECK (sustained > 0),
  reason        text NOT NULL,
  granted_by_id uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  created_at    timestamptz(3) NOT NULL,
  ended_at      timestamptz(3)
);
CREATE INDEX key_limit_grant_key_id_idx ON portal.key_limit_grant (key_id);

-- A key asked for by mail: what the mail said, until its sender confirms it or its time is over.
CREATE TABLE portal.key_draft (
  id                uuid PRIMARY KEY,
  email             text NOT NULL,
  message_id        text NOT NULL,
  name              text NOT NULL,
  description       text NOT NULL,
  received_at       timestamptz(3) NOT NULL,
  expires_at        timestamptz(3) NOT NULL,
  confirmed_at      timestamptz(3),
  request_id        uuid,
  technical_contact text,
  terms_version     text
);
CREATE UNIQUE INDEX key_draft_message_id_key ON portal.key_draft (message_id);
CREATE INDEX key_draft_expires_at_idx ON portal.key_draft (expires_at);

-- The last result of one automatic check of the Status API.
CREATE TABLE portal.status_check (
  name         text PRIMARY KEY,
  state        text NOT NULL,
  summary      text NOT NULL,
  checked_at   timestamptz(3) NOT NULL,
  seen_state   text NOT NULL,
  seen_summary text NOT NULL
);

-- A component's state set by hand; the newest that has neither ended nor run out counts.
CREATE TABLE portal.status_override (
  id        uuid PRIMARY KEY,
  component text NOT NULL,
  state     text NOT NULL,
  summary   text NOT NULL,
  until     timestamptz(3) NOT NULL,
  set_by_id uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  set_at    timestamptz(3) NOT NULL,
  ended_at  timestamptz(3),
  reason    text NOT NULL DEFAULT ''
);
CREATE INDEX status_override_component_until_idx ON portal.status_override (component, until);

-- One row for each key of ENCRYPTION_KEYS that sealed something in this database, sealed with that key.
CREATE TABLE portal.keyring_canary (
  key_id     text PRIMARY KEY,
  sealed     bytea NOT NULL,
  created_at timestamptz(3) NOT NULL
);

-- What the status checks call our own APIs with: a real key of the canary practice, sealed by the keyring.
CREATE TABLE portal.probe_credential (
  name       text PRIMARY KEY,
  key_id     uuid NOT NULL,
  sealed     bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

-- A request on the engine of registrations: an app, a change of one, higher limits, a longer key term.
CREATE TABLE portal.registration (
  id                   uuid PRIMARY KEY,
  kind                 text NOT NULL,
  organization_id      uuid NOT NULL REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  created_by_id        uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  name                 text NOT NULL,
  state                text NOT NULL,
  version              integer NOT NULL DEFAULT 0,
  parent_id            uuid REFERENCES portal.registration (id) ON UPDATE CASCADE ON DELETE SET NULL,
  open_for_id          uuid,
  subject_id           text,
  requested            jsonb,
  reason               text,
  form                 jsonb NOT NULL,
  submitted_number     integer,
  serving_number       integer,
  authenticity         text NOT NULL DEFAULT 'pending',
  configuration        text NOT NULL DEFAULT 'pending',
  checked              text[] DEFAULT ARRAY[]::text[],
  terms_version        text,
  terms_sha256         text,
  received_at          timestamptz(3),
  silent_since         timestamptz(3),
  reminders            integer NOT NULL DEFAULT 0,
  claimed_by_id        uuid REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE SET NULL,
  claimed_at           timestamptz(3),
  excluded_ids         uuid[] DEFAULT ARRAY[]::uuid[],
  proposal             jsonb,
  rejected_at          timestamptz(3),
  ended_at             timestamptz(3),
  sandbox_client_id    text,
  production_client_id text,
  probe_attempts       integer NOT NULL DEFAULT 0,
  probe_due_at         timestamptz(3),
  probe_failure        text,
  created_at           timestamptz(3) NOT NULL,
  updated_at           timestamptz(3) NOT NULL,
  next_action_at       timestamptz(3) DEFAULT '1970-01-01 00:00:00+00',
  covers_for_id        uuid
);
CREATE UNIQUE INDEX registration_open_for_id_key ON portal.registration (open_for_id);
CREATE UNIQUE INDEX registration_production_client_id_key ON portal.registration (production_client_id);
CREATE UNIQUE INDEX registration_sandbox_client_id_key ON portal.registration (sandbox_client_id);
CREATE INDEX registration_next_action_at_id_idx ON portal.registration (next_action_at, id);
CREATE INDEX registration_organization_id_updated_at_idx ON portal.registration (organization_id, updated_at);
CREATE INDEX registration_parent_id_idx ON portal.registration (parent_id);
CREATE INDEX registration_state_updated_at_idx ON portal.registration (state, updated_at);
CREATE TRIGGER look_again BEFORE UPDATE ON portal.registration
  FOR EACH ROW EXECUTE FUNCTION portal.look_again();

-- A form as it was handed in: what reviewers look at, what production serves, what versions are compared by.
CREATE TABLE portal.registration_version (
  registration_id uuid NOT NULL REFERENCES portal.registration (id) ON UPDATE CASCADE ON DELETE CASCADE,
  number          integer NOT NULL,
  form            jsonb NOT NULL,
  by_id           uuid NOT NULL,
  at              timestamptz(3) NOT NULL,
  PRIMARY KEY (registration_id, number)
);

-- One run of a business clock. Dates are of the office zone, yyyy-mm-dd.
CREATE TABLE portal.registration_clock (
  id              uuid PRIMARY KEY,
  registration_id uuid NOT NULL REFERENCES portal.registration (id) ON UPDATE CASCADE ON DELETE CASCADE,
  kind            text NOT NULL,
  days            integer NOT NULL,
  received_on     text NOT NULL,
  due_on          text NOT NULL,
  due_at          timestamptz(3) NOT NULL,
  started_at      timestamptz(3) NOT NULL,
  paused_on       text,
  remaining       integer,
  stopped_at      timestamptz(3),
  used_days       integer,
  escalated       integer NOT NULL DEFAULT 0,
  breached_at     timestamptz(3)
);
CREATE INDEX registration_clock_registration_id_idx ON portal.registration_clock (registration_id);
CREATE INDEX registration_clock_stopped_at_due_at_idx ON portal.registration_clock (stopped_at, due_at);

-- Clocks are rows of their own, and have deadlines, too.
CREATE FUNCTION portal.look_again_at_registration() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE portal.registration SET next_action_at = '1970-01-01 00:00:00+00' WHERE id = NEW.registration_id;
  RETURN NULL;
END $$;
CREATE TRIGGER look_again AFTER INSERT OR UPDATE ON portal.registration_clock
  FOR EACH ROW EXECUTE FUNCTION portal.look_again_at_registration();

-- A time in which the clock of a registration stood still.
CREATE TABLE portal.registration_pause (
  id         uuid PRIMARY KEY,
  clock_id   uuid NOT NULL REFERENCES portal.registration_clock (id) ON UPDATE CASCADE ON DELETE CASCADE,
  paused_at  timestamptz(3) NOT NULL,
  remaining  integer NOT NULL,
  resumed_at timestamptz(3),
  due_on     text
);
CREATE INDEX registration_pause_clock_id_idx ON portal.registration_pause (clock_id);

-- One thing that a reviewer of a registration asked for, and its answer.
CREATE TABLE portal.registration_item (
  id              uuid PRIMARY KEY,
  registration_id uuid NOT NULL REFERENCES portal.registration (id) ON UPDATE CASCADE ON DELETE CASCADE,
  round           integer NOT NULL,
  code            text NOT NULL,
  text            text NOT NULL,
  visible_earlier boolean NOT NULL DEFAULT false,
  asked_at        timestamptz(3) NOT NULL,
  asked_by_id     uuid NOT NULL,
  answer          text,
  answered_at     timestamptz(3),
  answered_by_id  uuid
);
CREATE INDEX registration_item_registration_id_round_idx ON portal.registration_item (registration_id, round);

-- What happened to a registration, in order. Releases before the table of all workflows read it.
CREATE TABLE portal.registration_event (
  id              bigserial PRIMARY KEY,
  registration_id uuid NOT NULL REFERENCES portal.registration (id) ON UPDATE CASCADE ON DELETE CASCADE,
  at              timestamptz(3) NOT NULL,
  event           text NOT NULL,
  "from"          text,
  "to"            text NOT NULL,
  actor_kind      text NOT NULL,
  actor_id        uuid,
  codes           text[] DEFAULT ARRAY[]::text[],
  text            text,
  detail          jsonb NOT NULL DEFAULT '{}',
  idempotency_key text
);
CREATE UNIQUE INDEX registration_event_registration_id_idempotency_key_key ON portal.registration_event
  (registration_id, idempotency_key);
CREATE INDEX registration_event_event_at_idx ON portal.registration_event (event, at);
CREATE INDEX registration_event_registration_id_id_idx ON portal.registration_event (registration_id, id);

-- Words between reviewers about a registration.
CREATE TABLE portal.registration_note (
  id              uuid PRIMARY KEY,
  registration_id uuid NOT NULL REFERENCES portal.registration (id) ON UPDATE CASCADE ON DELETE CASCADE,
  by_id           uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  text            text NOT NULL,
  at              timestamptz(3) NOT NULL
);
CREATE INDEX registration_note_registration_id_at_idx ON portal.registration_note (registration_id, at);

-- A domain of which an organization showed that it reads a mailbox there.
CREATE TABLE portal.organization_domain (
  id              uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE CASCADE,
  domain          text NOT NULL,
  mailbox         text NOT NULL,
  requested_by_id uuid NOT NULL,
  requested_at    timestamptz(3) NOT NULL,
  verified_at     timestamptz(3)
);
CREATE UNIQUE INDEX organization_domain_organization_id_domain_key ON portal.organization_domain
  (organization_id, domain);

-- A picture of an app, re-encoded by us. Served by its hash; never changed.
CREATE TABLE portal.app_logo (
  hash            text NOT NULL,
  organization_id uuid NOT NULL REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE CASCADE,
  bytes           bytea NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, hash)
);
CREATE INDEX app_logo_hash_idx ON portal.app_logo (hash);

-- What an organization says about its security, once for all its requests.
CREATE TABLE portal.security_profile (
  organization_id uuid PRIMARY KEY REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE CASCADE,
  answers         jsonb NOT NULL,
  version         integer NOT NULL DEFAULT 1,
  updated_by_id   uuid NOT NULL,
  updated_at      timestamptz(3) NOT NULL
);

-- What happened to a subject of a workflow, in order: the timeline, and what the public figures are computed from.
CREATE TABLE portal.workflow_event (
  id              bigserial PRIMARY KEY,
  subject_kind    text NOT NULL,
  subject_id      uuid NOT NULL,
  at              timestamptz(3) NOT NULL,
  event           text NOT NULL,
  "from"          text,
  "to"            text NOT NULL,
  actor_kind      text NOT NULL,
  actor_id        uuid,
  side            text,
  codes           text[] DEFAULT ARRAY[]::text[],
  text            text,
  detail          jsonb NOT NULL DEFAULT '{}',
  idempotency_key text
);
CREATE UNIQUE INDEX workflow_event_subject_kind_subject_id_idempotency_key_key ON portal.workflow_event
  (subject_kind, subject_id, idempotency_key);
CREATE INDEX workflow_event_actor_id_at_idx ON portal.workflow_event (actor_id, at);
CREATE INDEX workflow_event_subject_kind_event_at_idx ON portal.workflow_event (subject_kind, event, at);
CREATE INDEX workflow_event_subject_kind_subject_id_id_idx ON portal.workflow_event (subject_kind, subject_id, id);

-- An entry of somebody's inbox that they put off. It holds while the entry is as it was then.
CREATE TABLE portal.inbox_snooze (
  account_id   uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  subject_kind text NOT NULL,
  subject_id   uuid NOT NULL,
  state        text NOT NULL,
  event        text NOT NULL,
  due_at       timestamptz(3),
  at           timestamptz(3) NOT NULL,
  until        timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, subject_kind, subject_id)
);
CREATE INDEX inbox_snooze_until_idx ON portal.inbox_snooze (until);

-- Whether somebody's inbox comes by email, and when it last did. Without a row it does.
CREATE TABLE portal.inbox_setting (
  account_id uuid PRIMARY KEY REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  digest     boolean NOT NULL DEFAULT true,
  time_zone  text,
  digest_on  text
);

-- What happened to a request for a production key and its key, in order. Releases before the table of all workflows
-- read it.
CREATE TABLE portal.production_key_event (
  id              bigserial PRIMARY KEY,
  request_id      uuid NOT NULL REFERENCES portal.production_key_request (id) ON UPDATE CASCADE ON DELETE CASCADE,
  at              timestamptz(3) NOT NULL,
  event           text NOT NULL,
  "from"          text,
  "to"            text NOT NULL,
  actor_kind      text NOT NULL,
  actor_id        uuid,
  codes           text[] DEFAULT ARRAY[]::text[],
  text            text,
  detail          jsonb NOT NULL DEFAULT '{}',
  idempotency_key text
);
CREATE UNIQUE INDEX production_key_event_request_id_idempotency_key_key ON portal.production_key_event
  (request_id, idempotency_key);
CREATE INDEX production_key_event_request_id_id_idx ON portal.production_key_event (request_id, id);

-- One thing that a reviewer of a production key asked for, and its answer.
CREATE TABLE portal.production_key_item (
  id          uuid PRIMARY KEY,
  request_id  uuid NOT NULL REFERENCES portal.production_key_request (id) ON UPDATE CASCADE ON DELETE CASCADE,
  round       integer NOT NULL,
  code        text NOT NULL,
  text        text NOT NULL,
  asked_at    timestamptz(3) NOT NULL,
  answer      text,
  answered_at timestamptz(3)
);
CREATE INDEX production_key_item_request_id_round_idx ON portal.production_key_item (request_id, round);

-- Why a key does not work for now; it works again when every cause has ended.
CREATE TABLE portal.production_key_suspension (
  id          uuid PRIMARY KEY,
  request_id  uuid NOT NULL REFERENCES portal.production_key_request (id) ON UPDATE CASCADE ON DELETE CASCADE,
  cause       text NOT NULL,
  reason      text NOT NULL,
  by_id       uuid,
  at          timestamptz(3) NOT NULL,
  ended_at    timestamptz(3),
  ended_by_id uuid
);
CREATE INDEX production_key_suspension_request_id_ended_at_idx ON portal.production_key_suspension
  (request_id, ended_at);

-- An invitation to work in the portal for a practice, sent by email.
CREATE TABLE portal.practice_invitation (
  id            uuid PRIMARY KEY,
  practice_id   uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  email         text NOT NULL,
  role          portal.practice_role NOT NULL,
  state         text NOT NULL,
  invited_by_id uuid NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  expires_at    timestamptz(3) NOT NULL,
  accepted_at   timestamptz(3)
);
CREATE INDEX practice_invitation_practice_id_state_idx ON portal.practice_invitation (practice_id, state);

-- A usage agreement of an organization, or a BAA between it and a practice; each version of its text is a row of its
-- own.
CREATE TABLE portal.agreement (
  id              uuid PRIMARY KEY,
  kind            text NOT NULL,
  organization_id uuid NOT NULL REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  practice_id     uuid REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  request_id      uuid,
  state           text NOT NULL,
  version         integer NOT NULL DEFAULT 0,
  number          integer NOT NULL DEFAULT 1,
  rejected_number integer,
  level           portal.key_level,
  data_classes    text[] DEFAULT ARRAY[]::text[],
  purposes        text[] DEFAULT ARRAY[]::text[],
  replaces_id     uuid REFERENCES portal.agreement (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  open_for_id     uuid,
  created_by_id   uuid,
  created_at      timestamptz(3) NOT NULL,
  active_at       timestamptz(3) NOT NULL,
  reminders       integer NOT NULL DEFAULT 0,
  executed_at     timestamptz(3),
  effective_at    timestamptz(3),
  expires_at      timestamptz(3),
  ends_at         timestamptz(3),
  reminded_days   integer,
  ended_at        timestamptz(3),
  end_reason      text,
  ended_by_side   text,
  ended_by_id     uuid,
  retain_until    timestamptz(3),
  next_action_at  timestamptz(3) DEFAULT '1970-01-01 00:00:00+00'
);
CREATE UNIQUE INDEX agreement_open_for_id_key ON portal.agreement (open_for_id);
CREATE INDEX agreement_next_action_at_id_idx ON portal.agreement (next_action_at, id);
CREATE INDEX agreement_organization_id_kind_idx ON portal.agreement (organization_id, kind);
CREATE INDEX agreement_practice_id_kind_idx ON portal.agreement (practice_id, kind);
CREATE INDEX agreement_request_id_idx ON portal.agreement (request_id);
CREATE INDEX agreement_state_active_at_idx ON portal.agreement (state, active_at);
CREATE INDEX agreement_state_ends_at_idx ON portal.agreement (state, ends_at);
CREATE TRIGGER look_again BEFORE UPDATE ON portal.agreement
  FOR EACH ROW EXECUTE FUNCTION portal.look_again();

-- Who signs an agreement for each side.
CREATE TABLE portal.agreement_signatory (
  agreement_id uuid NOT NULL REFERENCES portal.agreement (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  side         text NOT NULL,
  account_id   uuid,
  legal_name   text NOT NULL,
  title        text NOT NULL,
  PRIMARY KEY (agreement_id, side)
);
CREATE INDEX agreement_signatory_account_id_idx ON portal.agreement_signatory (account_id);

-- What was offered, signed and executed is written once. The server's role may neither change nor delete it
-- (store/roles.ts); this holds for everybody else.
CREATE FUNCTION portal.refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'portal.% is written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- Kept until six years after the last day on which the agreement was in force; one that never ended is kept.
CREATE FUNCTION portal.refuse_before_retention() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM portal.agreement a
    WHERE a.id = OLD.agreement_id AND a.executed_at IS NOT NULL
      AND (a.ended_at IS NULL OR a.retain_until IS NULL OR a.retain_until > now())
  ) THEN
    RAISE EXCEPTION 'portal.% is kept until its retention ends', TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN OLD;
END $$;

-- One text that was offered: exactly its bytes. Written once.
CREATE TABLE portal.agreement_version (
  agreement_id     uuid NOT NULL REFERENCES portal.agreement (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  number           integer NOT NULL,
  source           text NOT NULL,
  template_name    text,
  template_version text,
  template_sha256  text,
  fields           jsonb NOT NULL,
  clauses          text[] DEFAULT ARRAY[]::text[],
  markdown         text,
  file_name        text NOT NULL,
  bytes            bytea NOT NULL,
  sha256           text NOT NULL,
  by_side          text,
  by_id            uuid,
  comment          text,
  created_at       timestamptz(3) NOT NULL,
  clause_places    jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (agreement_id, number)
);
CREATE TRIGGER written_once BEFORE UPDATE ON portal.agreement_version
  FOR EACH ROW EXECUTE FUNCTION portal.refuse_rewriting();
CREATE TRIGGER kept BEFORE DELETE ON portal.agreement_version
  FOR EACH ROW EXECUTE FUNCTION portal.refuse_before_retention();

-- A signature and its evidence. Written once; it counts while its number is the offered one.
CREATE TABLE portal.agreement_signature (
  id                        uuid PRIMARY KEY,
  agreement_id              uuid NOT NULL REFERENCES portal.agreement (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  number                    integer NOT NULL,
  side                      text NOT NULL,
  account_id                uuid,
  legal_name                text NOT NULL,
  title                     text NOT NULL,
  authority                 text NOT NULL,
  consent                   text NOT NULL,
  sha256                    text NOT NULL,
  clauses                   text[] DEFAULT ARRAY[]::text[],
  policy_version            text,
  policy_sha256             text,
  at                        timestamptz(3) NOT NULL,
  ip                        text,
  user_agent                text,
  authenticated_ago_seconds integer
);
CREATE UNIQUE INDEX agreement_signature_agreement_id_number_side_key ON portal.agreement_signature
  (agreement_id, number, side);
CREATE TRIGGER written_once BEFORE UPDATE ON portal.agreement_signature
  FOR EACH ROW EXECUTE FUNCTION portal.refuse_rewriting();
CREATE TRIGGER kept BEFORE DELETE ON portal.agreement_signature
  FOR EACH ROW EXECUTE FUNCTION portal.refuse_before_retention();

-- The executed document with its certificate. Written once; a trigger keeps it until its retention ends.
CREATE TABLE portal.agreement_executed (
  agreement_id    uuid PRIMARY KEY REFERENCES portal.agreement (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  number          integer NOT NULL,
  document_sha256 text NOT NULL,
  sha256          text NOT NULL,
  bytes           bytea NOT NULL,
  executed_at     timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX agreement_executed_sha256_key ON portal.agreement_executed (sha256);
CREATE INDEX agreement_executed_document_sha256_idx ON portal.agreement_executed (document_sha256);
CREATE TRIGGER written_once BEFORE UPDATE ON portal.agreement_executed
  FOR EACH ROW EXECUTE FUNCTION portal.refuse_rewriting();
CREATE TRIGGER kept BEFORE DELETE ON portal.agreement_executed
  FOR EACH ROW EXECUTE FUNCTION portal.refuse_before_retention();

-- What happened to an agreement, in order. Releases before the table of all workflows read it.
CREATE TABLE portal.agreement_event (
  id              bigserial PRIMARY KEY,
  agreement_id    uuid NOT NULL REFERENCES portal.agreement (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  at              timestamptz(3) NOT NULL,
  event           text NOT NULL,
  "from"          text,
  "to"            text NOT NULL,
  actor_kind      text NOT NULL,
  actor_id        uuid,
  side            text,
  text            text,
  detail          jsonb NOT NULL DEFAULT '{}',
  idempotency_key text
);
CREATE UNIQUE INDEX agreement_event_agreement_id_idempotency_key_key ON portal.agreement_event
  (agreement_id, idempotency_key);
CREATE INDEX agreement_event_agreement_id_id_idx ON portal.agreement_event (agreement_id, id);

-- Releases that know the three tables of events only go on with them: whoever writes an event to one of the tables or to
-- workflow_event, the other is written in the same transaction. The first one written is the one that copies.
CREATE FUNCTION portal.copy_workflow_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
  IF TG_TABLE_NAME = 'production_key_event' THEN
    INSERT INTO portal.workflow_event
      (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key)
    VALUES ('production_key_request', NEW.request_id, NEW.at, NEW.event, NEW."from", NEW."to",
      NEW.actor_kind, NEW.actor_id, NEW.codes, NEW.text, NEW.detail, NEW.idempotency_key);
  ELSIF TG_TABLE_NAME = 'registration_event' THEN
    INSERT INTO portal.workflow_event
      (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key)
    VALUES ('registration', NEW.registration_id, NEW.at, NEW.event, NEW."from", NEW."to",
      NEW.actor_kind, NEW.actor_id, NEW.codes, NEW.text, NEW.detail, NEW.idempotency_key);
  ELSIF TG_TABLE_NAME = 'agreement_event' THEN
    INSERT INTO portal.workflow_event
      (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, side, text, detail, idempotency_key)
    VALUES ('agreement', NEW.agreement_id, NEW.at, NEW.event, NEW."from", NEW."to",
      NEW.actor_kind, NEW.actor_id, NEW.side, NEW.text, NEW.detail, NEW.idempotency_key);
  ELSIF NEW.subject_kind = 'production_key_request' THEN
    INSERT INTO portal.production_key_event
      (request_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key)
    VALUES (NEW.subject_id, NEW.at, NEW.event, NEW."from", NEW."to",
      NEW.actor_kind, NEW.actor_id, NEW.codes, NEW.text, NEW.detail, NEW.idempotency_key);
  ELSIF NEW.subject_kind = 'registration' THEN
    INSERT INTO portal.registration_event
      (registration_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key)
    VALUES (NEW.subject_id, NEW.at, NEW.event, NEW."from", NEW."to",
      NEW.actor_kind, NEW.actor_id, NEW.codes, NEW.text, NEW.detail, NEW.idempotency_key);
  ELSIF NEW.subject_kind = 'agreement' THEN
    INSERT INTO portal.agreement_event
      (agreement_id, at, event, "from", "to", actor_kind, actor_id, side, text, detail, idempotency_key)
    VALUES (NEW.subject_id, NEW.at, NEW.event, NEW."from", NEW."to",
      NEW.actor_kind, NEW.actor_id, NEW.side, NEW.text, NEW.detail, NEW.idempotency_key);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER copy_event AFTER INSERT ON portal.workflow_event
  FOR EACH ROW EXECUTE FUNCTION portal.copy_workflow_event();
CREATE TRIGGER copy_event AFTER INSERT ON portal.production_key_event
  FOR EACH ROW EXECUTE FUNCTION portal.copy_workflow_event();
CREATE TRIGGER copy_event AFTER INSERT ON portal.registration_event
  FOR EACH ROW EXECUTE FUNCTION portal.copy_workflow_event();
CREATE TRIGGER copy_event AFTER INSERT ON portal.agreement_event
  FOR EACH ROW EXECUTE FUNCTION portal.copy_workflow_event();

-- At the end of a BAA: the developer returns or destroys the data, and says so.
CREATE TABLE portal.agreement_return_task (
  agreement_id   uuid PRIMARY KEY REFERENCES portal.agreement (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  opened_at      timestamptz(3) NOT NULL,
  due_at         timestamptz(3) NOT NULL,
  reminded_at    timestamptz(3),
  outcome        text,
  statement      text,
  legal_name     text,
  title          text,
  attested_by_id uuid,
  attested_at    timestamptz(3)
);
CREATE INDEX agreement_return_task_attested_at_due_at_idx ON portal.agreement_return_task (attested_at, due_at);

-- A return task is a row of its own, and has deadlines, too.
CREATE FUNCTION portal.look_again_at_agreement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE portal.agreement SET next_action_at = '1970-01-01 00:00:00+00' WHERE id = NEW.agreement_id;
  RETURN NULL;
END $$;
CREATE TRIGGER look_again AFTER INSERT OR UPDATE ON portal.agreement_return_task
  FOR EACH ROW EXECUTE FUNCTION portal.look_again_at_agreement();

-- A key of the explorer while it lives. The secret is sealed, and leaves for requests of this server alone.
CREATE TABLE portal.explorer_key (
  holder      text NOT NULL,
  practice_id uuid NOT NULL,
  level       portal.key_level NOT NULL,
  mcp_writes  boolean NOT NULL,
  key_id      uuid NOT NULL,
  sealed      bytea NOT NULL,
  expires_at  timestamptz(3) NOT NULL,
  PRIMARY KEY (holder, practice_id, level, mcp_writes)
);
CREATE INDEX explorer_key_expires_at_idx ON portal.explorer_key (expires_at);

-- What a person asked in the explorer. Holds names of parameters, never what stood in a body or a search for people.
CREATE TABLE portal.explorer_call (
  id             uuid PRIMARY KEY,
  account_id     uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  at             timestamptz(3) NOT NULL,
  interface      text NOT NULL,
  operation      text NOT NULL,
  practice_slug  text NOT NULL,
  level          text NOT NULL,
  status         integer NOT NULL,
  duration_ms    integer NOT NULL,
  correlation_id uuid,
  request        jsonb NOT NULL
);
CREATE INDEX explorer_call_account_id_at_idx ON portal.explorer_call (account_id, at);
CREATE INDEX explorer_call_at_idx ON portal.explorer_call (at);

-- A component as it was last written down, and the minute that is being counted.
CREATE TABLE portal.status_component (
  component    text PRIMARY KEY,
  state        text NOT NULL,
  source       text NOT NULL,
  since        timestamptz(3) NOT NULL,
  minute       timestamptz(3),
  minute_state text
);

-- A change of a component's published state.
CREATE TABLE portal.status_change (
  id         uuid PRIMARY KEY,
  component  text NOT NULL,
  from_state text,
  to_state   text NOT NULL,
  cause      text NOT NULL,
  summary    text NOT NULL,
  at         timestamptz(3) NOT NULL,
  CONSTRAINT status_change_cause CHECK (cause IN ('automatic', 'override', 'incident'))
);
CREATE INDEX status_change_at_idx ON portal.status_change (at);

-- Minutes of a UTC day that a component spent in a state. A minute without a check is in no row.
CREATE TABLE portal.status_day (
  component text NOT NULL,
  day       date NOT NULL,
  state     text NOT NULL,
  minutes   integer NOT NULL,
  PRIMARY KEY (component, day, state),
  CONSTRAINT status_day_minutes CHECK (minutes <= 1440)
);
CREATE INDEX status_day_day_idx ON portal.status_day (day);

-- Minutes of an hour that a component spent in a state; deleted when hours are no longer shown.
CREATE TABLE portal.status_hour (
  component text NOT NULL,
  hour      timestamptz(3) NOT NULL,
  state     text NOT NULL,
  minutes   integer NOT NULL,
  PRIMARY KEY (component, hour, state)
);
CREATE INDEX status_hour_hour_idx ON portal.status_hour (hour);

-- What operations tell everybody: an incident, or maintenance.
CREATE TABLE portal.incident (
  id             uuid PRIMARY KEY,
  kind           text NOT NULL,
  title          text NOT NULL,
  stage          text NOT NULL,
  starts_at      timestamptz(3) NOT NULL,
  ends_at        timestamptz(3),
  created_at     timestamptz(3) NOT NULL,
  created_by_id  uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  ended_at       timestamptz(3),
  post_mortem    text,
  post_mortem_at timestamptz(3),
  version        integer NOT NULL DEFAULT 1,
  CONSTRAINT incident_kind CHECK (kind IN ('incident', 'maintenance'))
);
CREATE INDEX incident_ended_at_idx ON portal.incident (ended_at);

-- A component that an incident or maintenance is about, and its state meanwhile.
CREATE TABLE portal.incident_component (
  incident_id uuid NOT NULL REFERENCES portal.incident (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  component   text NOT NULL,
  state       text NOT NULL,
  PRIMARY KEY (incident_id, component)
);

-- What operations published about an incident or maintenance, update by update.
CREATE TABLE portal.incident_update (
  id          uuid PRIMARY KEY,
  incident_id uuid NOT NULL REFERENCES portal.incident (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  stage       text NOT NULL,
  text        text NOT NULL,
  at          timestamptz(3) NOT NULL,
  by_id       uuid REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  edited_at   timestamptz(3)
);
CREATE INDEX incident_update_incident_id_at_idx ON portal.incident_update (incident_id, at);

-- The text of an update or a post-mortem before it was edited.
CREATE TABLE portal.incident_revision (
  id          uuid PRIMARY KEY,
  incident_id uuid NOT NULL REFERENCES portal.incident (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  update_id   uuid,
  text        text NOT NULL,
  at          timestamptz(3) NOT NULL,
  by_id       uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX incident_revision_incident_id_at_idx ON portal.incident_revision (incident_id, at);

-- An organization that was emailed about the end of an operation.
CREATE TABLE portal.deprecation_notice (
  ending          text NOT NULL,
  kind            text NOT NULL,
  organization_id uuid NOT NULL,
  at              timestamptz(3) NOT NULL,
  PRIMARY KEY (ending, kind, organization_id)
);

-- An address that gets emails about changes of the status. Nothing is sent before the link of the first email was
-- used; the row ends with the subscription. Topics are of an earlier release: every row has 'status' alone.
CREATE TABLE portal.status_subscription (
  id               uuid PRIMARY KEY,
  email            text NOT NULL,
  components       text[],
  asked_components text[],
  created_at       timestamptz(3) NOT NULL,
  confirmed_at     timestamptz(3),
  token_hash       bytea NOT NULL,
  sealed_token     bytea NOT NULL,
  topics           text[] NOT NULL DEFAULT ARRAY['status']::text[],
  asked_topics     text[] NOT NULL DEFAULT ARRAY['status']::text[]
);
CREATE UNIQUE INDEX status_subscription_email_key ON portal.status_subscription (email);
CREATE UNIQUE INDEX status_subscription_token_hash_key ON portal.status_subscription (token_hash);

-- A reset, a save or a restore of an organization's sandbox, as it was asked for in the portal.
CREATE TABLE portal.sandbox_change (
  id                  uuid PRIMARY KEY,
  practice_id         uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  running_practice_id uuid,
  kind                text NOT NULL,
  state               text NOT NULL,
  asked_by_id         uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  asked_at            timestamptz(3) NOT NULL,
  attempt             integer NOT NULL DEFAULT 0,
  finished            integer NOT NULL DEFAULT 0,
  total               integer NOT NULL DEFAULT 0,
  heard_at            timestamptz(3) NOT NULL,
  ended_at            timestamptz(3),
  dataset_id          integer,
  failure             text,
  -- One at a time in a practice is what the unique column says; that it says it of every running one, this.
  CONSTRAINT sandbox_change_state CHECK (
    kind IN ('reset', 'save', 'restore') AND state IN ('running', 'done', 'failed') AND
    (running_practice_id IS NOT NULL) = (state = 'running') AND
    (running_practice_id IS NULL OR running_practice_id = practice_id) AND
    (ended_at IS NOT NULL) = (state <> 'running') AND
    (failure IS NOT NULL) = (state = 'failed') AND
    (state <> 'done' OR dataset_id IS NOT NULL)
  )
);
CREATE UNIQUE INDEX sandbox_change_running_practice_id_key ON portal.sandbox_change (running_practice_id);
CREATE INDEX sandbox_change_practice_id_asked_at_idx ON portal.sandbox_change (practice_id, asked_at);
CREATE INDEX sandbox_change_state_heard_at_idx ON portal.sandbox_change (state, heard_at);

-- Faults that were switched on for one sandbox key or app; one switch at a time.
CREATE TABLE portal.fault_switch (
  id              uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE CASCADE,
  key_id          uuid REFERENCES portal.api_key (id) ON UPDATE CASCADE ON DELETE CASCADE,
  client_id       text REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE CASCADE,
  steps           jsonb NOT NULL,
  repeats         boolean NOT NULL,
  taken           integer NOT NULL DEFAULT 0,
  created_by_id   uuid NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  ends_at         timestamptz(3) NOT NULL,
  ended_at        timestamptz(3),
  CONSTRAINT fault_switch_a_day CHECK (ends_at <= created_at + interval '24 hours'),
  CONSTRAINT fault_switch_whose CHECK ((key_id IS NULL) <> (client_id IS NULL))
);
CREATE INDEX fault_switch_ends_at_idx ON portal.fault_switch (ends_at);
CREATE INDEX fault_switch_organization_id_created_at_idx ON portal.fault_switch (organization_id, created_at);

-- A launch of the simulator, good for one authorize request or one backend token.
CREATE TABLE portal.launch_simulation (
  id              uuid PRIMARY KEY,
  organization_id uuid REFERENCES portal.organization (id) ON UPDATE CASCADE ON DELETE CASCADE,
  practice_id     uuid NOT NULL REFERENCES portal.practice (id) ON UPDATE CASCADE ON DELETE CASCADE,
  client_id       text NOT NULL REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE CASCADE,
  kind            text NOT NULL,
  fault           text,
  account_id      uuid,
  patient_id      text,
  launch_hash     bytea,
  created_by_id   uuid,
  created_at      timestamptz(3) NOT NULL,
  expires_at      timestamptz(3) NOT NULL,
  used_at         timestamptz(3),
  fault_used_at   timestamptz(3),
  grant_id        uuid,
  opened_from     bytea,
  key_hash        bytea,
  scope           text,
  request_id      uuid,
  sign_in         text NOT NULL DEFAULT 'at_once'
);
CREATE UNIQUE INDEX launch_simulation_launch_hash_key ON portal.launch_simulation (launch_hash);
CREATE INDEX launch_simulation_client_id_created_at_idx ON portal.launch_simulation (client_id, created_at);
CREATE INDEX launch_simulation_grant_id_idx ON portal.launch_simulation (grant_id);
CREATE INDEX launch_simulation_key_hash_created_at_idx ON portal.launch_simulation (key_hash, created_at);
CREATE INDEX launch_simulation_opened_from_idx ON portal.launch_simulation (opened_from);
CREATE INDEX launch_simulation_organization_id_created_at_idx ON portal.launch_simulation (organization_id, created_at);
CREATE INDEX launch_simulation_request_id_idx ON portal.launch_simulation (request_id);

-- One step of the exchange of a simulated launch, secrets masked.
CREATE TABLE portal.launch_step (
  id            bigserial PRIMARY KEY,
  simulation_id uuid NOT NULL REFERENCES portal.launch_simulation (id) ON UPDATE CASCADE ON DELETE CASCADE,
  at            timestamptz(3) NOT NULL,
  step          text NOT NULL,
  ok            boolean NOT NULL,
  sent          jsonb NOT NULL,
  came          jsonb NOT NULL,
  note          text,
  refusal       text
);
CREATE INDEX launch_step_simulation_id_id_idx ON portal.launch_step (simulation_id, id);

-- The private key of an example backend app, sealed.
CREATE TABLE portal.launch_example_key (
  client_id text PRIMARY KEY REFERENCES portal.client (id) ON UPDATE CASCADE ON DELETE CASCADE,
  sealed    bytea NOT NULL
);

-- An access token of the explorer while it lives. It is sealed, and leaves for requests of this server alone.
CREATE TABLE portal.explorer_token (
  holder      text NOT NULL,
  practice_id uuid NOT NULL,
  person      text NOT NULL,
  scope       text NOT NULL,
  grant_id    uuid NOT NULL REFERENCES portal."grant" (id) ON UPDATE CASCADE ON DELETE CASCADE,
  sealed      bytea NOT NULL,
  expires_at  timestamptz(3) NOT NULL,
  PRIMARY KEY (holder, practice_id, person, scope)
);
CREATE INDEX explorer_token_expires_at_idx ON portal.explorer_token (expires_at);
CREATE INDEX explorer_token_grant_id_idx ON portal.explorer_token (grant_id);

-- The made-up history with which a demonstration began: at most one row.
CREATE TABLE portal.demonstration (
  id    integer DEFAULT 1 PRIMARY KEY,
  state text NOT NULL,
  at    timestamptz(3) NOT NULL,
  steps integer NOT NULL DEFAULT 0
);

-- Days on which a reviewer is away, in dates of the office zone, and the colleague who stands in.
CREATE TABLE portal.review_absence (
  id            uuid PRIMARY KEY,
  reviewer_id   uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  substitute_id uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE CASCADE,
  from_on       text NOT NULL,
  until_on      text NOT NULL,
  created_at    timestamptz(3) NOT NULL
);
CREATE INDEX review_absence_until_on_idx ON portal.review_absence (until_on);

-- A text that reviewers use again, with fields in braces.
CREATE TABLE portal.saved_reply (
  id            uuid PRIMARY KEY,
  purpose       text NOT NULL,
  code          text NOT NULL,
  title         text NOT NULL,
  text          text NOT NULL,
  version       integer NOT NULL DEFAULT 0,
  created_by_id uuid NOT NULL REFERENCES portal.account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  created_at    timestamptz(3) NOT NULL,
  updated_at    timestamptz(3) NOT NULL
);

-- Which credentials are good

-- What clinical.live must hold (decision 166). The triggers below write from it, and a job compares the table with it.
CREATE VIEW portal.live_key_source AS
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

-- Rows are written by index lookups, for one credential and for a hundred thousand. A kept plan otherwise depends on how
-- small the tables were when it was made: with a hash join of whole tables, a new access token costs three times as much.
CREATE FUNCTION portal.write_live_keys(ids uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET join_collapse_limit = 12
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
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
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET join_collapse_limit = 12
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
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

CREATE TRIGGER live_insert AFTER INSERT ON portal.practice_stop REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_practice_stop();
CREATE TRIGGER live_update AFTER UPDATE ON portal.practice_stop
  REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_practice_stop();
CREATE TRIGGER live_delete AFTER DELETE ON portal.practice_stop REFERENCING OLD TABLE AS before_change
  FOR EACH STATEMENT EXECUTE FUNCTION portal.live_after_practice_stop();

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

-- ---------------------------------------------------------------------------------------------------------------------
-- Schema clinical: FHIR JSON as served text, and the narrow index tables beside it. Every key leads with the dataset, and
-- the chart's keys go on with the compartment, so that a practice can be split from another by its key alone.
-- ---------------------------------------------------------------------------------------------------------------------

CREATE SCHEMA IF NOT EXISTS clinical;

-- All records of a practice, or a template of them, or a snapshot. A practice points at a dataset; a dataset knows
-- nothing of practices.
CREATE TABLE clinical.dataset (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text NOT NULL CHECK (name <> ''),
  kind       text NOT NULL CHECK (kind IN ('template', 'practice', 'demonstration', 'canary', 'snapshot')),
  state      text NOT NULL CHECK (state IN ('loading', 'ready', 'deleting')),
  -- What it was made from: a seed with its options, or the dataset it is a copy of.
  source     text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- When a practice went on to other data. Answers that began on this data end on it; then it is deleted.
  retired_at timestamptz(3)
);
CREATE INDEX dataset_name ON clinical.dataset (name, state);

-- FHIR resources as the text that is served.
CREATE TABLE clinical.resource (
  dataset_id    integer NOT NULL,
  type          smallint NOT NULL,
  id            text COLLATE "C" NOT NULL,
  -- Owner of the compartment; null for Organization, Practitioner, Location, Medication …
  patient_id    text COLLATE "C",
  -- The type's sort date as a half-open interval.
  date          timestamptz NOT NULL DEFAULT '-infinity',
  date_end      timestamptz,
  last_updated  timestamptz(3) NOT NULL,
  version       integer NOT NULL,
  deleted       boolean NOT NULL DEFAULT false,
  index_version smallint NOT NULL,
  -- Dictionary ids of every (parameter, system, code).
  tokens        integer[] NOT NULL DEFAULT '{}',
  -- The final JSON text: one line, meta first, free of origin and practice. Empty when deleted.
  content       text NOT NULL,
  -- The REST record of a patient, made when the patient is written: a list of fifty needs neither the whole resource nor
  -- its parsing. Begins with the number of the form it was made in; null in rows that have none yet.
  record        text,
  PRIMARY KEY (dataset_id, type, id)
);
-- $export, _since, _lastUpdated.
CREATE INDEX resource_changes ON clinical.resource (dataset_id, type, last_updated, id);
-- A chart's page and its total, also by the time of change, without the heap.
CREATE INDEX resource_chart ON clinical.resource
  (dataset_id, patient_id, type, date DESC, id DESC) INCLUDE (date_end, tokens, deleted, last_updated);
-- Which numbers of index definitions there are, and where, without reading the rows: few values differ.
CREATE INDEX resource_index_version ON clinical.resource (type, index_version, dataset_id) WHERE NOT deleted;

-- An earlier release replaces and deletes without knowing of it. What it leaves behind would be another version's.
CREATE FUNCTION clinical.forget_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.record := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER forget_record BEFORE UPDATE ON clinical.resource FOR EACH ROW
  WHEN (NEW.version <> OLD.version AND OLD.record IS NOT NULL AND NEW.record = OLD.record)
  EXECUTE FUNCTION clinical.forget_record();

-- Every date parameter but the sort date, as a half-open interval.
CREATE TABLE clinical.moment (
  dataset_id integer NOT NULL,
  -- '' outside the compartment, so that it can be part of the key.
  patient_id text COLLATE "C" NOT NULL,
  type       smallint NOT NULL,
  parameter  smallint NOT NULL,
  low        timestamptz NOT NULL,
  high       timestamptz NOT NULL,
  id         text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset_id, patient_id, type, parameter, low, high, id)
);
-- A whole practice by date (birthdate, death-date).
CREATE INDEX moment_population ON clinical.moment (dataset_id, type, parameter, low, high, id);

-- String parameters, folded by server/contract/fold.ts.
CREATE TABLE clinical.name (
  dataset_id integer NOT NULL,
  type       smallint NOT NULL,
  parameter  smallint NOT NULL,
  value      text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset_id, type, parameter, value, id)
);
CREATE INDEX name_source ON clinical.name (dataset_id, type, id);

-- Identifiers, by value and system.
CREATE TABLE clinical.identifier (
  dataset_id integer NOT NULL,
  type       smallint NOT NULL,
  value      text COLLATE "C" NOT NULL,
  system     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset_id, type, value, system, id)
);
-- Identifiers are searched without letter case.
CREATE INDEX identifier_folded ON clinical.identifier (dataset_id, type, lower(value), system, id);
CREATE INDEX identifier_source ON clinical.identifier (dataset_id, type, id);

-- How lists of people and places are ordered and searched: one row per way to begin typing a name or a number (key), all
-- of one resource carrying its place in the order (sort).
CREATE TABLE clinical.roster (
  dataset_id integer NOT NULL,
  type       smallint NOT NULL,
  id         text COLLATE "C" NOT NULL,
  ordinal    smallint NOT NULL,
  key        text COLLATE "C" NOT NULL,
  sort       text COLLATE "C" NOT NULL,
  -- ISO date as recorded, of year, month or day precision: a date prefix is a text prefix.
  born       text COLLATE "C",
  PRIMARY KEY (dataset_id, type, id, ordinal)
);
CREATE INDEX roster_born ON clinical.roster (dataset_id, type, born, sort, id) WHERE ordinal = 0;
CREATE INDEX roster_key ON clinical.roster (dataset_id, type, key, id) INCLUDE (sort, born);
CREATE INDEX roster_order ON clinical.roster (dataset_id, type, sort, id) WHERE ordinal = 0;

-- References, by target: reference search, _revinclude, _include, $everything.
CREATE TABLE clinical.link (
  dataset_id  integer NOT NULL,
  -- Number of the search parameter that holds the reference.
  kind        smallint NOT NULL,
  target_type smallint NOT NULL,
  target      text COLLATE "C" NOT NULL,
  source_type smallint NOT NULL,
  source      text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset_id, kind, target_type, target, source_type, source)
);
CREATE INDEX link_source ON clinical.link (dataset_id, source_type, source);

-- Coded values become integers. Shared by all datasets: it holds codes, never people. Identifiers stay out, and a search
-- never adds a row.
CREATE TABLE clinical.dictionary (
  id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  parameter smallint NOT NULL,
  system    text COLLATE "C" NOT NULL,
  code      text COLLATE "C" NOT NULL,
  UNIQUE (parameter, system, code)
);
-- Codes are searched without letter case.
CREATE INDEX dictionary_folded ON clinical.dictionary (parameter, lower(code), system);

-- Codes of which a chart holds many, each a few times (laboratory tests, diagnoses): the few of one code are found without
-- a look at all the others. Values stand in resource.tokens as well.
CREATE TABLE clinical.coding (
  dataset_id integer NOT NULL,
  -- '' outside the compartment, as in moment.
  patient_id text COLLATE "C" NOT NULL,
  type       smallint NOT NULL,
  token      integer NOT NULL,
  id         text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset_id, patient_id, type, token, id)
);

-- Bytes of documents: each content once, by its hash, whatever the number of practices that hold it.
CREATE TABLE clinical.binary (
  sha256     bytea PRIMARY KEY CHECK (length(sha256) = 32),
  size       integer NOT NULL CHECK (size >= 0),
  created_at timestamptz(3) NOT NULL,
  -- In clinical.binary_chunk, or an object of a bucket under its SHA-256.
  stored_in  text NOT NULL DEFAULT 'database' CHECK (stored_in IN ('database', 'object'))
);

-- The bytes in pieces, so that nobody holds a whole file in memory to send it.
CREATE TABLE clinical.binary_chunk (
  sha256  bytea NOT NULL REFERENCES clinical.binary (sha256) ON DELETE CASCADE,
  ordinal integer NOT NULL,
  bytes   bytea NOT NULL,
  PRIMARY KEY (sha256, ordinal)
);
-- Most files are compressed already.
ALTER TABLE clinical.binary_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Which resource of which dataset has which content; a copy of a dataset copies these rows alone.
CREATE TABLE clinical.attachment (
  dataset_id   integer NOT NULL,
  type         smallint NOT NULL,
  id           text COLLATE "C" NOT NULL,
  -- Place among the attachments of the resource, from 0.
  ordinal      smallint NOT NULL,
  content_type text NOT NULL,
  sha256       bytea NOT NULL REFERENCES clinical.binary (sha256),
  PRIMARY KEY (dataset_id, type, id, ordinal)
);
-- Which contents nobody holds any more.
CREATE INDEX attachment_content ON clinical.attachment (sha256);

-- What a caller's Idempotency-Key made: status and id, never a body. In the very transaction of the write; gone after a
-- day.
CREATE TABLE clinical.idempotency (
  dataset_id    integer NOT NULL,
  -- The API key that sent it: two clients may choose the same name.
  key_id        uuid NOT NULL,
  name          text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  -- SHA-256 of the operation and the body.
  request       bytea NOT NULL CHECK (length(request) = 32),
  status        smallint NOT NULL,
  resource_type smallint NOT NULL,
  resource_id   text COLLATE "C" NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  PRIMARY KEY (dataset_id, key_id, name)
);
CREATE INDEX idempotency_created_at ON clinical.idempotency (created_at);

-- Where imported resources came from: the id they had there, and what they became here, so that a later import of the same
-- source knows them again.
CREATE TABLE clinical.origin (
  dataset_id integer NOT NULL,
  type       smallint NOT NULL,
  -- Id at the source, or the id given here to a resource that had none.
  source     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  -- Of the text it was read from.
  hash       text COLLATE "C" NOT NULL,
  -- Of the resource when it was imported; another one now means that it was changed here.
  version    integer NOT NULL,
  PRIMARY KEY (dataset_id, type, source)
);

-- What the index rows of a type were made from, by the number that they carry (resource.index_version). Releases that run
-- beside each other read here what the rows of the other hold.
CREATE TABLE clinical.index_definition (
  type   smallint NOT NULL,
  number smallint NOT NULL,
  -- Part (mostly a search parameter) → the text of its definition.
  parts  jsonb NOT NULL,
  PRIMARY KEY (type, number)
);
-- Releases before this table write the number 3 and know this registry.
INSERT INTO clinical.index_definition (type, number, parts) VALUES
  (1, 3, '{"~owner":"[1,[\"patient\"],[]]","clinical-status":"[1,23,\"token\",[\"clinicalStatus\"],\"\",\"\"]","date":"[1,21,\"date\",[\"recordedDate\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"recorder\",\"asserter\"],\"\",\"\"]"}'),
  (2, 3, '{"~owner":"[1,[\"subject\"],[]]","category":"[1,19,\"token\",[\"category\"],\"\",\"\"]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/request-status\",\"\"]","date":"[1,21,\"date\",[\"period\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"author\",\"contributor\"],\"\",\"\"]"}'),
  (3, 3, '{"~owner":"[1,[\"subject\"],[]]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/care-team-status\",\"\"]","role":"[1,24,\"token\",[\"participant.role\"],\"\",\"\"]","participant":"[1,25,\"reference\",[\"participant.member\"],\"\",\"\"]","date":"[1,21,\"date\",[\"period\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"managingOrganization\"],\"\",\"\"]"}'),
  (4, 3, '{"~owner":"[1,[\"subject\"],[]]","category":"[1,19,\"token\",[\"category\"],\"\",\"\"]","clinical-status":"[1,23,\"token\",[\"clinicalStatus\"],\"\",\"\"]","code":"[1,20,\"token\",[\"code\"],\"\",\"selective\"]","onset-date":"[1,26,\"date\",[\"onsetDateTime\",\"onsetPeriod\"],\"\",\"\"]","asserted-date":"[1,27,\"date\",[\"extension[http://hl7.org/fhir/StructureDefinition/condition-assertedDate].valueDateTime\"],\"\",\"\"]","recorded-date":"[1,28,\"date\",[\"recordedDate\"],\"\",\"sort date\"]","abatement-date":"[1,29,\"date\",[\"abatementDateTime\",\"abatementPeriod\"],\"\",\"\"]","encounter":"[1,30,\"reference\",[\"encounter\"],\"\",\"\"]","refers":"[1,51,\"reference\",[\"recorder\",\"asserter\"],\"\",\"\"]"}'),
  (5, 3, '{"~owner":"[1,[\"beneficiary\"],[]]","refers":"[1,51,\"reference\",[\"payor\"],\"\",\"\"]"}'),
  (6, 3, '{"~owner":"[1,[\"patient\"],[]]","type":"[1,22,\"token\",[\"type\"],\"\",\"\"]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/device-status\",\"\"]","refers":"[1,51,\"reference\",[\"owner\",\"location\"],\"\",\"\"]"}'),
  (7, 3, '{"~owner":"[1,[\"subject\"],[]]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/diagnostic-report-status\",\"\"]","category":"[1,19,\"token\",[\"category\"],\"\",\"\"]","code":"[1,20,\"token\",[\"code\"],\"\",\"selective\"]","date":"[1,21,\"date\",[\"effectiveDateTime\",\"effectivePeriod\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"performer\",\"resultsInterpreter\"],\"\",\"\"]"}'),
  (8, 3, '{"~owner":"[1,[\"subject\"],[]]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/document-reference-status\",\"\"]","type":"[1,22,\"token\",[\"type\"],\"\",\"\"]","category":"[1,19,\"token\",[\"category\"],\"\",\"\"]","date":"[1,21,\"date\",[\"date\"],\"\",\"sort date\"]","period":"[1,31,\"date\",[\"context.period\"],\"\",\"\"]","refers":"[1,51,\"reference\",[\"author\",\"authenticator\",\"custodian\"],\"\",\"\"]"}'),
  (9, 3, '{"~owner":"[1,[\"subject\"],[]]","identifier":"[1,4,\"identifier\",[\"identifier\"],\"\",\"\"]","class":"[1,32,\"token\",[\"class\"],\"\",\"\"]","type":"[1,22,\"token\",[\"type\"],\"\",\"\"]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/encounter-status\",\"\"]","date":"[1,21,\"date\",[\"period\"],\"\",\"sort date\"]","location":"[1,33,\"reference\",[\"location.location\"],\"\",\"\"]","discharge-disposition":"[1,34,\"token\",[\"hospitalization.dischargeDisposition\"],\"\",\"\"]","refers":"[1,51,\"reference\",[\"participant.individual\",\"serviceProvider\"],\"\",\"\"]"}'),
  (11, 3, '{"~owner":"[1,[\"subject\"],[]]","lifecycle-status":"[1,35,\"token\",[\"lifecycleStatus\"],\"http://hl7.org/fhir/goal-status\",\"\"]","target-date":"[1,36,\"date\",[\"target.dueDate\"],\"\",\"\"]","description":"[1,37,\"token\",[\"description\"],\"\",\"\"]","start-date":"[1,38,\"date\",[\"startDate\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"expressedBy\"],\"\",\"\"]"}'),
  (12, 3, '{"~owner":"[1,[\"patient\"],[]]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/event-status\",\"\"]","date":"[1,21,\"date\",[\"occurrenceDateTime\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"performer.actor\",\"location\",\"manufacturer\"],\"\",\"\"]"}'),
  (15, 3, '{"~owner":"[1,[\"subject\"],[]]","status":"[1,18,\"token\",[\"status\"],\"http://terminology.hl7.org/CodeSystem/medicationdispense-status\",\"\"]","type":"[1,22,\"token\",[\"type\"],\"\",\"\"]","medication":"[1,41,\"reference\",[\"medicationReference\"],\"\",\"\"]","whenhandedover":"[1,42,\"date\",[\"whenHandedOver\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"performer.actor\",\"location\"],\"\",\"\"]"}'),
  (16, 3, '{"~owner":"[1,[\"subject\"],[]]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/CodeSystem/medicationrequest-status\",\"\"]","intent":"[1,39,\"token\",[\"intent\"],\"http://hl7.org/fhir/CodeSystem/medicationrequest-intent\",\"\"]","encounter":"[1,30,\"reference\",[\"encounter\"],\"\",\"\"]","authoredon":"[1,40,\"date\",[\"authoredOn\"],\"\",\"sort date\"]","medication":"[1,41,\"reference\",[\"medicationReference\"],\"\",\"\"]","refers":"[1,51,\"reference\",[\"requester\",\"recorder\",\"performer\",\"dispenseRequest.performer\",\"reportedReference\"],\"\",\"\"]"}'),
  (17, 3, '{"~owner":"[1,[\"subject\"],[]]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/observation-status\",\"\"]","category":"[1,19,\"token\",[\"category\"],\"\",\"\"]","code":"[1,20,\"token\",[\"code\"],\"\",\"selective\"]","date":"[1,21,\"date\",[\"effectiveDateTime\",\"effectivePeriod\",\"effectiveInstant\",\"effectiveTiming.event\",\"effectiveTiming.repeat.boundsPeriod\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"performer\"],\"\",\"\"]"}'),
  (22, 3, '{"~owner":"[1,[\"subject\"],[]]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/event-status\",\"\"]","code":"[1,20,\"token\",[\"code\"],\"\",\"selective\"]","date":"[1,21,\"date\",[\"performedDateTime\",\"performedPeriod\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"performer.actor\",\"recorder\",\"asserter\",\"location\"],\"\",\"\"]"}'),
  (23, 3, '{"~owner":"[1,[\"target\"],[\"target\"]]","target":"[1,46,\"reference\",[\"target\"],\"\",\"\"]","recorded":"[1,47,\"date\",[\"recorded\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"agent.who\",\"agent.onBehalfOf\"],\"\",\"\"]"}'),
  (24, 3, '{"~owner":"[1,[\"subject\"],[]]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/questionnaire-answers-status\",\"\"]","authored":"[1,48,\"date\",[\"authored\"],\"\",\"sort date\"]","questionnaire":"[1,49,\"canonical\",[\"questionnaire\"],\"\",\"\"]","refers":"[1,51,\"reference\",[\"author\",\"source\"],\"\",\"\"]"}'),
  (25, 3, '{"~owner":"[1,[\"patient\"],[]]","name":"[1,3,\"string\",[\"name.family\",\"name.given\",\"name.prefix\",\"name.suffix\",\"name.text\"],\"\",\"\"]"}'),
  (26, 3, '{"~owner":"[1,[\"subject\"],[]]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/request-status\",\"\"]","category":"[1,19,\"token\",[\"category\"],\"\",\"\"]","code":"[1,20,\"token\",[\"code\"],\"\",\"selective\"]","authored":"[1,48,\"date\",[\"authoredOn\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"requester\",\"performer\",\"locationReference\"],\"\",\"\"]"}'),
  (27, 3, '{"~owner":"[1,[\"subject\"],[]]","collected":"[1,50,\"date\",[\"collection.collectedDateTime\",\"collection.collectedPeriod\"],\"\",\"sort date\"]","refers":"[1,51,\"reference\",[\"collection.collector\"],\"\",\"\"]"}'),
  (10, 3, '{"~owner":"[1,null,[]]","status":"[1,18,\"token\",[\"status\"],\"http://hl7.org/fhir/endpoint-status\",\"\"]","organization":"[1,12,\"reference\",[\"managingOrganization\"],\"\",\"\"]"}'),
  (28, 3, '{"~owner":"[1,null,[]]","refers":"[1,51,\"reference\",[\"managingEntity\"],\"\",\"\"]"}'),
  (13, 3, '{"~owner":"[1,null,[]]","~roster":"[1,\"text\",\"name\",\"\",\"\"]","name":"[1,3,\"string\",[\"name\",\"alias\"],\"\",\"\"]","address":"[1,8,\"string\",[\"address.line\",\"address.city\",\"address.district\",\"address.state\",\"address.postalCode\",\"address.country\",\"address.text\"],\"\",\"\"]","address-city":"[1,9,\"string\",[\"address.city\"],\"\",\"\"]","address-state":"[1,10,\"string\",[\"address.state\"],\"\",\"\"]","address-postalcode":"[1,11,\"string\",[\"address.postalCode\"],\"\",\"\"]","organization":"[1,12,\"reference\",[\"managingOrganization\"],\"\",\"\"]"}'),
  (14, 3, '{"~owner":"[1,null,[]]","code":"[1,20,\"token\",[\"code\"],\"\",\"\"]","refers":"[1,51,\"reference\",[\"manufacturer\"],\"\",\"\"]"}'),
  (18, 3, '{"~owner":"[1,null,[]]","~roster":"[1,\"text\",\"name\",\"\",\"\"]","name":"[1,3,\"string\",[\"name\",\"alias\"],\"\",\"\"]","address":"[1,8,\"string\",[\"address.line\",\"address.city\",\"address.district\",\"address.state\",\"address.postalCode\",\"address.country\",\"address.text\"],\"\",\"\"]","identifier":"[1,4,\"identifier\",[\"identifier\"],\"\",\"\"]","refers":"[1,51,\"reference\",[\"partOf\",\"endpoint\"],\"\",\"\"]"}'),
  (19, 3, '{"~owner":"[1,\"self\",[]]","~roster":"[1,\"person\",\"name\",\"birthDate\",\"https://sandpiper.example/identifier/mrn\"]","identifier":"[1,4,\"identifier\",[\"identifier\"],\"\",\"\"]","name":"[1,3,\"string\",[\"name.family\",\"name.given\",\"name.prefix\",\"name.suffix\",\"name.text\"],\"\",\"\"]","family":"[1,1,\"string\",[\"name.family\"],\"\",\"\"]","given":"[1,2,\"string\",[\"name.given\"],\"\",\"\"]","gender":"[1,7,\"token\",[\"gender\"],\"http://hl7.org/fhir/administrative-gender\",\"\"]","birthdate":"[1,5,\"date\",[\"birthDate\"],\"\",\"\"]","death-date":"[1,6,\"date\",[\"deceasedDateTime\"],\"\",\"\"]","organization":"[1,12,\"reference\",[\"managingOrganization\"],\"\",\"\"]","general-practitioner":"[1,13,\"reference\",[\"generalPractitioner\"],\"\",\"\"]","link":"[1,14,\"reference\",[\"link.other\"],\"\",\"\"]"}'),
  (20, 3, '{"~owner":"[1,null,[]]","~roster":"[1,\"person\",\"name\",\"\",\"http://hl7.org/fhir/sid/us-npi\"]","name":"[1,3,\"string\",[\"name.family\",\"name.given\",\"name.prefix\",\"name.suffix\",\"name.text\"],\"\",\"\"]","identifier":"[1,4,\"identifier\",[\"identifier\"],\"\",\"\"]","refers":"[1,51,\"reference\",[\"qualification.issuer\"],\"\",\"\"]"}'),
  (21, 3, '{"~owner":"[1,null,[]]","specialty":"[1,43,\"token\",[\"specialty\"],\"\",\"\"]","practitioner":"[1,44,\"reference\",[\"practitioner\"],\"\",\"\"]","endpoint":"[1,45,\"reference\",[\"endpoint\"],\"\",\"\"]","refers":"[1,51,\"reference\",[\"organization\",\"location\"],\"\",\"\"]"}');

-- One narrow row per API key and access token says whether it is good, so that a statement that reads records joins one
-- row in place of ten tables. Triggers of schema portal write it in the transaction that changes one of its sources. The
-- credential leads the key, because a change knows credentials and no datasets; a table distributed by dataset_id needs the
-- column in its key, not at its beginning.
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

-- Charts that are withheld from the users of a dataset lie under its negative number. No statement of an interface looks
-- there, so none needs a condition. Attachments stay: they are only found beside their resource.
-- No statement joins: the statistics know nothing of a dataset that was made a minute ago, and a plan for "one row"
-- compared every row of it with every row of the chart.
CREATE FUNCTION clinical.move_charts(here integer, there integer, patients text[]) RETURNS void
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

-- After rows were added to a dataset: those of charts that are withheld join them.
CREATE FUNCTION clinical.withhold_arrivals(dataset integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM clinical.move_charts(dataset, -dataset, ARRAY(
    SELECT DISTINCT r.patient_id FROM clinical.resource r
    WHERE r.dataset_id = -dataset AND r.patient_id IS NOT NULL));
END $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Schema log: who called what, and who saw whose record. Routes are patterns; no URL, query string, body or answer is
-- kept. The server writes the logs and cannot change them (store/roles.ts); what is over it may have forgotten by the
-- functions below, by the database's own clock, so many rows at a time.
-- ---------------------------------------------------------------------------------------------------------------------

CREATE SCHEMA IF NOT EXISTS log;

-- Every request at an interface, refusals included. Kept a year.
CREATE TABLE log.activity (
  id                    bigint GENERATED ALWAYS AS IDENTITY,
  at                    timestamptz(3) NOT NULL,
  door                  text NOT NULL CHECK (door IN ('fhir', 'bulk', 'rest', 'smart', 'status')),
  -- Null of an unknown token: nobody can say whether it was meant for a sandbox.
  environment           text CHECK (environment IN ('sandbox', 'production')),
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
  count                 integer NOT NULL DEFAULT 1 CHECK (count > 0),
  -- The app that called.
  client_id             text CHECK (length(client_id) <= 128),
  -- How long a refused caller was asked to wait.
  retry_after_s         integer CHECK (retry_after_s >= 0),
  -- Whether an answer was a page with more to come.
  page                  text CHECK (page IN ('whole', 'begun', 'more', 'last')),
  -- The step of a fault switch that was injected, as it is written; null: the call was left alone.
  fault                 text CHECK (length(fault) <= 200)
) PARTITION BY RANGE (at);
-- When a key was last used from a browser, where none belongs.
CREATE INDEX activity_browser ON log.activity (key_id, at DESC) WHERE from_browser AND key_id IS NOT NULL;
CREATE INDEX activity_claimed_prefix ON log.activity (claimed_prefix, at DESC) WHERE claimed_prefix IS NOT NULL;
CREATE INDEX activity_client ON log.activity (client_id, at DESC, id DESC) WHERE client_id IS NOT NULL;
CREATE INDEX activity_correlation ON log.activity (correlation_id);
CREATE INDEX activity_key ON log.activity (key_id, at DESC, id DESC) WHERE key_id IS NOT NULL;
CREATE INDEX activity_smart ON log.activity (client_id, at DESC) WHERE client_id IS NOT NULL AND door = 'smart';

-- Requests per key and UTC day, so that lists and sparklines never count rows.
CREATE TABLE log.activity_day (
  key_id       uuid NOT NULL,
  day          date NOT NULL,
  served       bigint NOT NULL,
  refused      bigint NOT NULL,
  -- The last request that the key authenticated; null when none of the day did.
  last_used_at timestamptz(3),
  PRIMARY KEY (key_id, day)
);

-- Rows that are over, of the months that are not over as a whole. Days are kept a month longer than the requests they
-- count.
CREATE FUNCTION log.forget_activity(most integer) RETURNS integer
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
REVOKE ALL ON FUNCTION log.forget_activity(integer) FROM PUBLIC;

-- The practice's record of access: who saw whose record. Kept six years.
CREATE TABLE log.phi_audit (
  id             bigint GENERATED ALWAYS AS IDENTITY,
  at             timestamptz(3) NOT NULL,
  practice_id    uuid NOT NULL,
  principal_kind text NOT NULL
    CHECK (principal_kind IN ('api_key', 'smart_token', 'backend_token', 'session', 'system')),
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
  correlation_id uuid NOT NULL,
  -- The app that asked.
  client_id      text,
  -- Whom a list named, and which export a file is of.
  patient_ids    text[] COLLATE "C",
  export_id      uuid
) PARTITION BY RANGE (at);
CREATE INDEX phi_audit_at ON log.phi_audit (at);
CREATE INDEX phi_audit_correlation ON log.phi_audit (correlation_id);
-- Lists and files: few beside the rows that name one patient, which phi_audit_patient finds.
CREATE INDEX phi_audit_many ON log.phi_audit (practice_id, at) WHERE patient_id IS NULL AND count > 0;
CREATE INDEX phi_audit_patient ON log.phi_audit (practice_id, patient_id, at DESC) WHERE patient_id IS NOT NULL;
CREATE INDEX phi_audit_practice ON log.phi_audit (practice_id, at DESC, id DESC);

-- The patients of an export, sorted by id, at most 1,000 in a row: one row of an export tells about one patient.
CREATE TABLE log.export_patients (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz(3) NOT NULL,
  export_id   uuid NOT NULL,
  first_id    text COLLATE "C" NOT NULL,
  last_id     text COLLATE "C" NOT NULL,
  patient_ids text[] COLLATE "C" NOT NULL,
  -- Bit n says that the files of type_names[n + 1] hold records of the patient at the same place.
  types       bigint[] NOT NULL,
  type_names  text[] NOT NULL
);
CREATE INDEX export_patients_at ON log.export_patients (at);
CREATE INDEX export_patients_export ON log.export_patients (export_id, first_id);

-- Rows of the record of access and of exports that are over.
CREATE FUNCTION log.forget_phi_audit(most integer) RETURNS integer
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
REVOKE ALL ON FUNCTION log.forget_phi_audit(integer) FROM PUBLIC;

-- log.activity and log.phi_audit have one partition for each UTC month, without a gap (decision 203): <table>_before,
-- <table>_mmxxvii_i …, <table>_later.

-- Midnight UTC at which the month of a moment begins, or one some months from it.
CREATE FUNCTION log.month_start(moment timestamptz, months integer DEFAULT 0) RETURNS timestamptz
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT (date_trunc('month', moment AT TIME ZONE 'UTC') + make_interval(months => months)) AT TIME ZONE 'UTC'
$$;

-- `activity_mmxxvii_i`: January 2027. In Roman numerals, because earlier releases restore no names with digits.
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

REVOKE ALL ON FUNCTION log.month_start(timestamptz, integer), log.month_name(text, timestamptz), log.bound_of(oid),
  log.months(text), log.months_end(text), log.add_partition(text, text, text), log.renew(text, bigint),
  log.renew_months(text) FROM PUBLIC;

DO $$
DECLARE
  begins CONSTANT timestamptz := log.month_start(now());
  parent text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['activity', 'phi_audit'] LOOP
    PERFORM log.add_partition(parent, parent || '_before', format('(MINVALUE) TO (%L)', begins));
    PERFORM log.add_partition(parent, parent || '_later', format('(%L) TO (MAXVALUE)', begins));
    PERFORM log.renew(parent, NULL);
  END LOOP;
END $$;

-- Old months of the record of access in object storage: which objects hold their rows. A part is a gzip member of an
-- object: rows of one practice in the order of time.
CREATE TABLE log.access_archive (
  -- `2026-01/…`, below the prefix of LOG_ARCHIVE_URL.
  key         text NOT NULL,
  -- The first byte of the part.
  start       bigint NOT NULL,
  bytes       integer NOT NULL,
  sha256      text NOT NULL,
  practice_id uuid NOT NULL,
  rows        integer NOT NULL,
  first_at    timestamptz NOT NULL,
  last_at     timestamptz NOT NULL,
  first_id    bigint NOT NULL,
  last_id     bigint NOT NULL,
  -- Whose records the rows are about: the first four bytes of the SHA-256 of each patient's id, as a number.
  patients    integer[] NOT NULL,
  -- Rows that refer to an export, and lists that name no patients.
  has_exports boolean NOT NULL,
  has_unnamed boolean NOT NULL,
  PRIMARY KEY (key, start)
);
CREATE INDEX access_archive_last_id ON log.access_archive (last_id);
CREATE INDEX access_archive_practice ON log.access_archive (practice_id, last_at DESC);

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

-- Rows by which /readyz proves that a write to the logs can commit: log.prove_write() takes the locks that a record takes,
-- and writes a row that needs a new page of the disk. Rows are so large that no two share a page; without autovacuum no
-- page is used again, and the table is emptied when it has grown to a megabyte.
CREATE TABLE log.write_probe (
  at     timestamptz NOT NULL DEFAULT now(),
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
