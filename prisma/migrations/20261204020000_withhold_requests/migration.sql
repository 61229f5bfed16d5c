-- A patient asks their practice for no further access by keys and apps (decision 177).
-- older release: it knows no requests, and leaves them open.
CREATE TABLE portal.withhold_request (
  id            uuid PRIMARY KEY,
  practice_id   uuid NOT NULL REFERENCES portal.practice (id) ON DELETE CASCADE ON UPDATE CASCADE,
  patient_id    text COLLATE "C" NOT NULL,
  -- Who asked: the patient, or somebody who acts for them.
  account_id    uuid NOT NULL REFERENCES portal.account (id) ON DELETE CASCADE ON UPDATE CASCADE,
  created_at    timestamptz(3) NOT NULL,
  decided_at    timestamptz(3),
  decided_by_id uuid,
  outcome       text CHECK (outcome IN ('withheld', 'declined')),
  -- Why the practice declined.
  answer        text,
  withheld_id   uuid REFERENCES portal.withheld_patient (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT withhold_request_decision CHECK (num_nulls(decided_at, decided_by_id, outcome) IN (0, 3))
);
-- One open request for each patient.
CREATE UNIQUE INDEX withhold_request_open_key ON portal.withhold_request (practice_id, patient_id)
  WHERE decided_at IS NULL;
CREATE INDEX withhold_request_account_id_idx ON portal.withhold_request (account_id);
CREATE INDEX withhold_request_withheld_id_idx ON portal.withhold_request (withheld_id);
