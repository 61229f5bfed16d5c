-- The annual review of everything that reaches a practice's records (decision 181), as it was signed off.
-- older release: it neither writes nor reads these.
CREATE TABLE portal.access_review (
  id           uuid PRIMARY KEY,
  practice_id  uuid NOT NULL REFERENCES portal.practice (id) ON DELETE CASCADE ON UPDATE CASCADE,
  signed_at    timestamptz(6) NOT NULL,
  signed_by_id uuid REFERENCES portal.account (id) ON DELETE SET NULL ON UPDATE CASCADE,
  -- What was listed, and what was decided about each.
  lines        jsonb NOT NULL,
  note         text NOT NULL
);
CREATE INDEX access_review_practice_id_signed_at_idx ON portal.access_review (practice_id, signed_at DESC);
CREATE INDEX access_review_signed_by_id_idx ON portal.access_review (signed_by_id);
