-- Where each clause is in a document that was uploaded, as who uploaded it found it (decision 178).
ALTER TABLE portal.agreement_version ADD COLUMN clause_places jsonb NOT NULL DEFAULT '{}';
