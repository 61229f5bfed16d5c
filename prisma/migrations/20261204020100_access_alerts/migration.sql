-- Alerts about the use of keys and apps (decision 180): what a practice set, and what the rules found.
-- older release: it neither writes nor reads these.
CREATE TABLE portal.practice_alert_settings (
  practice_id uuid PRIMARY KEY REFERENCES portal.practice (id) ON DELETE CASCADE ON UPDATE CASCADE,
  version     integer NOT NULL DEFAULT 0,
  -- Rule → { on, threshold }; a rule that is not here is as the contract has it.
  rules       jsonb NOT NULL,
  by_email    boolean NOT NULL,
  -- Office hours: full hours, and the days of the week with 0 for Sunday.
  opens       smallint NOT NULL,
  closes      smallint NOT NULL,
  days        smallint[] NOT NULL,
  zone        text NOT NULL,
  CONSTRAINT practice_alert_settings_hours CHECK (opens >= 0 AND opens < closes AND closes <= 24)
);

CREATE TABLE portal.access_alert (
  id                 uuid PRIMARY KEY,
  practice_id        uuid NOT NULL REFERENCES portal.practice (id) ON DELETE CASCADE ON UPDATE CASCADE,
  rule               text NOT NULL,
  subject_kind       text NOT NULL,
  subject_id         text NOT NULL,
  -- As they were called then.
  name               text NOT NULL,
  organization_name  text NOT NULL,
  day                date NOT NULL,
  -- The figure, the norm and how it was made, as sentences.
  explanation        text NOT NULL,
  created_at         timestamptz(6) NOT NULL,
  acknowledged_at    timestamptz(6),
  acknowledged_by_id uuid REFERENCES portal.account (id) ON DELETE SET NULL ON UPDATE CASCADE
);
-- One for each rule, key or app, and day.
CREATE UNIQUE INDEX access_alert_once
  ON portal.access_alert (practice_id, subject_kind, subject_id, rule, day);
CREATE INDEX access_alert_practice_id_created_at_idx ON portal.access_alert (practice_id, created_at DESC);
CREATE INDEX access_alert_acknowledged_by_id_idx ON portal.access_alert (acknowledged_by_id);
