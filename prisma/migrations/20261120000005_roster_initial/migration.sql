-- The first letter typed matches a tenth of a practice. By this index the page is read in its order and
-- the reading stops when the page is full, instead of sorting them all.
CREATE INDEX roster_initial ON clinical.roster (dataset_id, type, "left"(key, 1), sort, id) INCLUDE (born);
