-- 20261203010000_key_access split identifiers from demographics in requests. The BAAs of that time say that demographics
-- include identifiers; without this, none would cover its key any more, and every such key would be suspended.
DO $$
BEGIN
  IF to_regclass('public._prisma_migrations') IS NULL THEN RETURN; END IF;
  UPDATE portal.agreement
     SET data_classes = array_append(data_classes, 'identifiers')
   WHERE kind = 'baa' AND 'demographics' = ANY (data_classes) AND NOT 'identifiers' = ANY (data_classes)
     AND created_at < (SELECT finished_at FROM public._prisma_migrations
                        WHERE migration_name = '20261203010000_key_access' AND finished_at IS NOT NULL);
END $$;
