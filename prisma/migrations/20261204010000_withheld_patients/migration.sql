-- A practice withholds single patients from keys, apps and backend systems (decision 176).
-- older release: it obeys, because a withheld chart is not where it reads. An import by it could bring rows of a
-- withheld patient back; the next change of what is withheld moves them away.
CREATE TABLE portal.withheld_patient (
  id            uuid PRIMARY KEY,
  practice_id   uuid NOT NULL REFERENCES portal.practice (id) ON DELETE CASCADE ON UPDATE CASCADE,
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

-- Charts that are withheld from the users of a dataset lie under its negative number. No statement of an interface looks
-- there, so none needs a condition. Attachments stay: they are only found beside their resource.
-- No statement joins: the statistics know nothing of a dataset that was made a minute ago, and a plan for "one row" compared
-- every row of it with every row of the chart.
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
