-- Bytes of documents: each content once, by its hash, whatever the number of practices that hold it.

-- A snapshot is a dataset that no practice serves.
ALTER TABLE clinical.dataset DROP CONSTRAINT dataset_kind_check;
ALTER TABLE clinical.dataset ADD CONSTRAINT dataset_kind_check
  CHECK (kind IN ('template', 'practice', 'demonstration', 'canary', 'snapshot'));

CREATE TABLE clinical.binary (
  sha256     bytea PRIMARY KEY CHECK (length(sha256) = 32),
  size       integer NOT NULL CHECK (size >= 0),
  created_at timestamptz(3) NOT NULL
);

-- In pieces, so that nobody holds a whole file in memory to send it.
CREATE TABLE clinical.binary_chunk (
  sha256  bytea NOT NULL REFERENCES clinical.binary (sha256) ON DELETE CASCADE,
  ordinal integer NOT NULL,
  bytes   bytea NOT NULL,
  PRIMARY KEY (sha256, ordinal)
);
-- Most files are compressed already.
ALTER TABLE clinical.binary_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Which resource of which dataset has which content; a copy of a dataset copies these rows alone.
CREATE TABLE clinical.attachment (
  dataset_id   integer NOT NULL,
  type         smallint NOT NULL,
  id           text COLLATE "C" NOT NULL,
  -- Place among the attachments of the resource, from 0.
  ordinal      smallint NOT NULL,
  content_type text NOT NULL,
  sha256       bytea NOT NULL REFERENCES clinical.binary (sha256),
  PRIMARY KEY (dataset_id, type, id, ordinal)
);
-- Which contents nobody holds any more.
CREATE INDEX attachment_content ON clinical.attachment (sha256);
