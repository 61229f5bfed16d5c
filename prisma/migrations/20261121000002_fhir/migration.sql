-- A chart's page by the time of change, and what changed since, are answered by the chart's index too.
CREATE INDEX resource_chart_pages ON clinical.resource
  (dataset_id, patient_id, type, date DESC, id DESC) INCLUDE (date_end, tokens, deleted, last_updated);
DROP INDEX clinical.resource_chart;
ALTER INDEX clinical.resource_chart_pages RENAME TO resource_chart;

-- Codes are searched without letter case.
CREATE INDEX dictionary_folded ON clinical.dictionary (parameter, lower(code), system);
DROP INDEX clinical.dictionary_code;

-- Identifiers are searched without letter case, too.
CREATE INDEX identifier_folded ON clinical.identifier (dataset_id, type, lower(value), system, id);

-- Codes of which a chart holds many, each a few times (laboratory tests, diagnoses): the few of one code are found
-- without a look at all the others. Values stand in resource.tokens as well.
CREATE TABLE clinical.coding (
  dataset_id integer NOT NULL,
  -- '' outside the compartment, as in moment.
  patient_id text COLLATE "C" NOT NULL,
  type       smallint NOT NULL,
  token      integer NOT NULL,
  id         text COLLATE "C" NOT NULL,
  PRIMARY KEY (dataset_id, patient_id, type, token, id)
);
-- Those of the parameter code (20) of Condition, DiagnosticReport, Observation, Procedure and ServiceRequest.
INSERT INTO clinical.coding (dataset_id, patient_id, type, token, id)
SELECT DISTINCT r.dataset_id, coalesce(r.patient_id, ''), r.type, t.token, r.id
FROM clinical.resource r CROSS JOIN unnest(r.tokens) AS t (token)
  JOIN clinical.dictionary d ON d.id = t.token
WHERE d.parameter = 20 AND r.type IN (4, 7, 17, 22, 26) AND NOT r.deleted;
