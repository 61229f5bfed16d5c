-- Where the bytes of a content are: in clinical.binary_chunk, or an object of a bucket under its SHA-256.
-- older release: it reads and writes contents in the database as before, and nothing is in a bucket until DOCUMENT_STORAGE
-- says so. It can refer to a content in a bucket, but not read it: move all back before a rollback.
ALTER TABLE clinical.binary ADD COLUMN stored_in text NOT NULL DEFAULT 'database'
  CHECK (stored_in IN ('database', 'object'));
