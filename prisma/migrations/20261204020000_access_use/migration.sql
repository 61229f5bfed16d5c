-- What each key and app did at a practice, by day (decision 180). Counted again from the logs, a day gives the same row.
-- older release: it neither writes nor reads these.
CREATE TABLE portal.access_day (
  practice_id  uuid NOT NULL REFERENCES portal.practice (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- key · app
  subject_kind text NOT NULL,
  -- Of a key with a production request, that request: a key and its successors are one.
  subject_id   text NOT NULL,
  -- UTC.
  day          date NOT NULL,
  figures      jsonb NOT NULL,
  CONSTRAINT access_day_kind CHECK (subject_kind IN ('key', 'app')),
  PRIMARY KEY (practice_id, subject_kind, subject_id, day)
);
CREATE INDEX access_day_day_idx ON portal.access_day (day);

-- One row: the last day that is counted.
CREATE TABLE portal.access_counted (
  id      smallint PRIMARY KEY,
  through date NOT NULL,
  CONSTRAINT access_counted_single CHECK (id = 1)
);

-- Names that a practice gives to networks its callers use.
CREATE TABLE portal.practice_network (
  id          uuid PRIMARY KEY,
  practice_id uuid NOT NULL REFERENCES portal.practice (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- A /24 of IPv4 or a /48 of IPv6, as the figures have it.
  network     text NOT NULL,
  label       text NOT NULL,
  -- ISO 3166-1 alpha-2. NULL: the practice did not say.
  country     text,
  created_at  timestamptz(6) NOT NULL,
  CONSTRAINT practice_network_country CHECK (country ~ '^[A-Z]{2}$')
);
CREATE UNIQUE INDEX practice_network_practice_id_network_key ON portal.practice_network (practice_id, network);
