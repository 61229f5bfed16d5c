-- The rows of credentials are written by index lookups, for one credential and for a hundred thousand. A kept plan
-- otherwise depends on how small the tables were when it was made: with a hash join of whole tables, a new access token
-- costs three times as much.
ALTER FUNCTION portal.write_live_keys(uuid[]) SET enable_seqscan = off;
ALTER FUNCTION portal.write_live_keys(uuid[]) SET enable_hashjoin = off;
ALTER FUNCTION portal.write_live_keys(uuid[]) SET enable_mergejoin = off;
ALTER FUNCTION portal.write_live_tokens(uuid[]) SET enable_seqscan = off;
ALTER FUNCTION portal.write_live_tokens(uuid[]) SET enable_hashjoin = off;
ALTER FUNCTION portal.write_live_tokens(uuid[]) SET enable_mergejoin = off;
