-- What a caller's Idempotency-Key made: status and id, never a body. In the very transaction of the write; gone after a day.
CREATE TABLE clinical.idempotency (
  dataset_id    integer NOT NULL,
  -- The API key that sent it: two clients may choose the same name.
  key_id        uuid NOT NULL,
  name          text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  -- SHA-256 of the operation and the body.
  request       bytea NOT NULL CHECK (length(request) = 32),
  status        smallint NOT NULL,
  resource_type smallint NOT NULL,
  resource_id   text COLLATE "C" NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  PRIMARY KEY (dataset_id, key_id, name)
);
CREATE INDEX idempotency_created_at ON clinical.idempotency (created_at);

-- A search of one letter reads the roster in the order of its keys and stops at the end of the page, as any other.
DROP INDEX clinical.roster_initial;
