-- The clinical store: FHIR JSON as served text, and the narrow index tables beside it.
-- Every key leads with the dataset, and the chart's keys go on with the compartment, so that a
-- practice can be split from another by its key alone.
CREATE SCHEMA IF NOT EXISTS clinical;

-- Better text compression for the whole database where the server was built with it and we may ask.
-- Never a reason to fail: the embedded build has only pglz.
DO $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM pg_catalog.pg_settings
    WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)
  ) THEN
    EXECUTE pg_catalog.format(
      'ALTER DATABASE %I SET default_toast_compression = ''lz4''', pg_catalog.current_database());
    -- The tables below are made by this very session.
    PERFORM pg_catalog.set_config('default_toast_compression', 'lz4', true);
  END IF;
EXCEPTION WHEN OTHERS THEN
  NULL;
END
$$;

-- A practice points at a dataset; a dataset knows nothing of practices.
CREATE TABLE clinical.dataset (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text NOT NULL CHECK (name <> ''),
  kind       text NOT NULL CHECK (kind IN ('template', 'practice', 'demonstration', 'canary')),
  state      text NOT NULL CHECK (state IN ('loading', 'ready', 'deleting')),
  -- What it was made from: a seed with its options, or the dataset it is a copy of.
  source     text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX dataset_name ON clinical.dataset (name, state);

CREATE TABLE clinical.resource (
  dataset_id    integer NOT NULL,
  type          smallint NOT NULL,
  id            text COLLATE "C" NOT NULL,
  -- Owner of the compartment; null for Organization, Practitioner, Location, Medication …
  patient_id    text COLLATE "C",
  -- The type's sort date as a half-open interval.
  date          timestamptz NOT NULL DEFAULT '-infinity',
  date_end      timestamptz,
  last_updated  timestamptz(3) NOT NULL,
  version       integer NOT NULL,
  deleted       boolean NOT NULL DEFAULT false,
  index_version smallint NOT NULL,
  -- Dictionary ids of every (parameter, system, code).
  tokens        integer[] NOT NULL DEFAULT '{}',
  -- The final JSON text: one line, meta first, free of origin and practice. Empty when deleted.
  content       text NOT NULL,
  PRIMARY KEY (dataset_id, type, id)
);
-- A chart's page and its total, without the heap.
CREATE INDEX resource_chart ON clinical.resource
  (dataset_id, patient_id, type, date DESC, id DESC) INCLUDE (date_end, tokens, deleted);
-- $export, _since, _lastUpdated.
CREATE INDEX resource_changes ON clinical.resource (dataset_id, type, last_updated, id);

-- Every date parameter but the sort date, as a half-open interval.
-- patient_id is '' outside the compartment, so that it can be part of the key.
CREATE TABLE clinical.moment (
  dataset_id integer NOT NULL,
  patient_id text COLLATE "C" NOT NULL,
  type       smallint NOT NULL,
  parameter  smallint NOT NULL,
  low        timestamptz NOT NULL,
  high       timestamptz NOT NULL,
  id         text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset_id, patient_id, type, parameter, low, high, id)
);
-- A whole practice by date (birthdate, death-date).
CREATE INDEX moment_population ON clinical.moment (dataset_id, type, parameter, low, high, id);

-- String parameters, folded by server/contract/fold.ts.
CREATE TABLE clinical.name (
  dataset_id integer NOT NULL,
  type       smallint NOT NULL,
  parameter  smallint NOT NULL,
  value      text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset_id, type, parameter, value, id)
);
CREATE INDEX name_source ON clinical.name (dataset_id, type, id);

CREATE TABLE clinical.identifier (
  dataset_id integer NOT NULL,
  type       smallint NOT NULL,
  value      text COLLATE "C" NOT NULL,
  system     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset_id, type, value, system, id)
);
CREATE INDEX identifier_source ON clinical.identifier (dataset_id, type, id);

-- How lists of people and places are ordered and searched: one row per way to begin typing a name
-- or a number (key), all of one resource carrying its place in the order (sort).
CREATE TABLE clinical.roster (
  dataset_id integer NOT NULL,
  type       smallint NOT NULL,
  id         text COLLATE "C" NOT NULL,
  ordinal    smallint NOT NULL,
  key        text COLLATE "C" NOT NULL,
  sort       text COLLATE "C" NOT NULL,
  -- ISO date as recorded, of year, month or day precision: a date prefix is a text prefix.
  born       text COLLATE "C",
  PRIMARY KEY (dataset_id, type, id, ordinal)
);
CREATE INDEX roster_key ON clinical.roster (dataset_id, type, key, id) INCLUDE (sort, born);
CREATE INDEX roster_order ON clinical.roster (dataset_id, type, sort, id) WHERE ordinal = 0;
CREATE INDEX roster_born ON clinical.roster (dataset_id, type, born, sort, id) WHERE ordinal = 0;

-- References, by target: reference search, _revinclude, _include, $everything.
CREATE TABLE clinical.link (
  dataset_id  integer NOT NULL,
  -- Number of the search parameter that holds the reference.
  kind        smallint NOT NULL,
  target_type smallint NOT NULL,
  target      text COLLATE "C" NOT NULL,
  source_type smallint NOT NULL,
  source      text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset_id, kind, target_type, target, source_type, source)
);
CREATE INDEX link_source ON clinical.link (dataset_id, source_type, source);

-- Coded values become integers. Shared by all datasets: it holds codes, never people. Identifiers
-- stay out, and a search never adds a row.
CREATE TABLE clinical.dictionary (
  id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  parameter smallint NOT NULL,
  system    text COLLATE "C" NOT NULL,
  code      text COLLATE "C" NOT NULL,
  UNIQUE (parameter, system, code)
);
CREATE INDEX dictionary_code ON clinical.dictionary (parameter, code);
