-- What a key may read and for which purposes, from narrowed_from on. NULL there: the key is not narrowed.
ALTER TABLE portal.api_key
  ADD COLUMN data_classes text[] NOT NULL DEFAULT '{}',
  ADD COLUMN purposes text[] NOT NULL DEFAULT '{}',
  ADD COLUMN narrowed_from timestamptz(3);

-- Identifiers were part of demographics, by its text.
UPDATE portal.production_key_request
   SET data_classes = array_append(data_classes, 'identifiers')
 WHERE 'demographics' = ANY (data_classes) AND NOT 'identifiers' = ANY (data_classes);
