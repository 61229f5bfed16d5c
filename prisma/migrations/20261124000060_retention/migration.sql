-- The practices' record of access is kept six years. As with log.forget_activity, the server may not delete; what is
-- older it may have forgotten, by the database's own clock, so many rows at a time.
CREATE FUNCTION log.forget_phi_audit(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE gone integer;
BEGIN
  DELETE FROM log.phi_audit WHERE id IN (
    SELECT id FROM log.phi_audit WHERE at < now() - interval '6 years' ORDER BY at, id LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
REVOKE ALL ON FUNCTION log.forget_phi_audit(integer) FROM PUBLIC;

-- Retention: what is over is found without reading what is not.
CREATE INDEX "outbox_mail_created_at_idx" ON "portal"."outbox_mail"("created_at");
