-- A chart's page by the time of change, and what changed since, are answered by the chart's index too.
CREATE INDEX resource_chart_pages ON clinical.resource
  (dataset_id, patient_id, type, date DESC, id DESC) INCLUDE (date_end, tokens, deleted, last_updated);
DROP INDEX clinical.resource_chart;
ALTER INDEX clinical.resource_chart_pages RENAME TO resource_chart;

-- Codes are searched without letter case.
CREATE INDEX dictionary_folded ON clinical.dictionary (parameter, lower(code), system);
DROP INDEX clinical.dictionary_code;
