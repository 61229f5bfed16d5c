-- The REST record of a patient, made when the patient is written: a list of fifty needs neither the whole resource nor
-- its parsing. Begins with the number of the form it was made in; null in rows that have none yet.
ALTER TABLE clinical.resource ADD COLUMN record text;

-- An earlier release replaces and deletes without knowing of it. What it leaves behind would be another version's.
CREATE FUNCTION clinical.forget_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.record := NULL;
  RETURN NEW;
END
$$;
CREATE TRIGGER forget_record BEFORE UPDATE ON clinical.resource FOR EACH ROW
  WHEN (NEW.version <> OLD.version AND OLD.record IS NOT NULL AND NEW.record = OLD.record)
  EXECUTE FUNCTION clinical.forget_record();
