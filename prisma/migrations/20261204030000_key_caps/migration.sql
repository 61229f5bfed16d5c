-- Caps that a practice sets for a key: calls a day, patients a day, hours of use (decision 182).
-- older release: it knows no caps. A key of a process that still runs it is not held back.
CREATE TABLE portal.key_cap (
  id               uuid PRIMARY KEY,
  practice_id      uuid NOT NULL REFERENCES portal.practice (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- NULL: no cap of this kind.
  calls_per_day    integer,
  patients_per_day integer,
  -- Minutes after midnight. An end before the beginning is on the next day.
  hours_from       smallint,
  hours_until      smallint,
  -- Of the hours, and of the day that is counted.
  zone             text NOT NULL,
  CONSTRAINT key_cap_counts CHECK (calls_per_day > 0 AND patients_per_day > 0),
  CONSTRAINT key_cap_hours CHECK ((hours_from IS NULL) = (hours_until IS NULL)
    AND hours_from BETWEEN 0 AND 1439 AND hours_until BETWEEN 0 AND 1439 AND hours_from <> hours_until)
);
CREATE INDEX key_cap_practice_id_idx ON portal.key_cap (practice_id);

-- A key and its successors share one row, and so what they have used.
ALTER TABLE portal.api_key
  ADD COLUMN cap_id uuid REFERENCES portal.key_cap (id) ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX api_key_cap_id_idx ON portal.api_key (cap_id);

CREATE TABLE portal.key_cap_day (
  cap_id   uuid NOT NULL REFERENCES portal.key_cap (id) ON DELETE CASCADE ON UPDATE CASCADE,
  day      date NOT NULL,
  calls    integer NOT NULL DEFAULT 0,
  patients integer NOT NULL DEFAULT 0,
  PRIMARY KEY (cap_id, day)
);

CREATE TABLE portal.key_cap_patient (
  cap_id     uuid NOT NULL REFERENCES portal.key_cap (id) ON DELETE CASCADE ON UPDATE CASCADE,
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
