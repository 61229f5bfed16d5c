-- The second step: reads the logs once, while others read and write them. With that the third need not.
-- older release: it goes on writing meanwhile.
SET LOCAL statement_timeout = 0;
DO $$
DECLARE each record;
BEGIN
  FOR each IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
               WHERE conrelid IN ('log.activity'::regclass, 'log.phi_audit'::regclass)
                 AND conname IN ('activity_until', 'phi_audit_until') AND NOT convalidated LOOP
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', each.name, each.conname);
  END LOOP;
END $$;
