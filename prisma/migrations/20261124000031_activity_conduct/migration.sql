-- What the go-live report tells of a caller's conduct: how long a refused caller was asked to wait, and whether an
-- answer was a page with more to come. Neither says what was asked or answered.
ALTER TABLE log.activity ADD COLUMN retry_after_s integer CHECK (retry_after_s >= 0);
ALTER TABLE log.activity ADD COLUMN page text CHECK (page IN ('whole', 'begun', 'more', 'last'));
