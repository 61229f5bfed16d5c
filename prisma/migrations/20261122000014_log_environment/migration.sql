-- Of a token that is unknown nobody can say whether it was meant for a sandbox.
ALTER TABLE log.activity ALTER COLUMN environment DROP NOT NULL;
