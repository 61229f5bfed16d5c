-- What the accounting of disclosures needs (45 CFR 164.528): which patients a list named, and which an export holds.
-- older release: it writes neither column, so its lists and files name no patients. The report counts such rows and
-- says when the last one was written.
ALTER TABLE log.phi_audit
  ADD COLUMN patient_ids text[] COLLATE "C",
  ADD COLUMN export_id uuid;
-- Lists and files: few beside the rows that name one patient, which phi_audit_patient finds.
CREATE INDEX phi_audit_many ON log.phi_audit (practice_id, at) WHERE patient_id IS NULL AND count > 0;

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
CREATE INDEX export_patients_export ON log.export_patients (export_id, first_id);
CREATE INDEX export_patients_at ON log.export_patients (at);

-- Both are kept six years.
CREATE OR REPLACE FUNCTION log.forget_phi_audit(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE gone integer;
BEGIN
  DELETE FROM log.export_patients WHERE id IN (
    SELECT id FROM log.export_patients WHERE at < now() - interval '6 years' ORDER BY at, id LIMIT most);
  DELETE FROM log.phi_audit WHERE id IN (
    SELECT id FROM log.phi_audit WHERE at < now() - interval '6 years' ORDER BY at, id LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
REVOKE ALL ON FUNCTION log.forget_phi_audit(integer) FROM PUBLIC;
