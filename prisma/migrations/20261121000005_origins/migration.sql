-- Where imported resources came from: the id they had there, and what they became here, so that a later import
-- of the same source knows them again (decision 0019).
CREATE TABLE clinical.origin (
  dataset_id integer NOT NULL,
  type       smallint NOT NULL,
  -- Id at the source, or the id given here to a resource that had none.
  source     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  -- Of the text it was read from.
  hash       text COLLATE "C" NOT NULL,
  -- Of the resource when it was imported; another one now means that it was changed here.
  version    integer NOT NULL,
  PRIMARY KEY (dataset_id, type, source)
);
