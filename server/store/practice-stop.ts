/**
 * Whether the practice has stopped a key or an app, as conditions on portal.api_key `k`, and on portal.client `c` and
 * portal.practice `p`. A stop that names nothing is one of all access. portal.live_source decides the same for the
 * statements that read records.
 */
const openStopSql = (practice: string, target: string) => `EXISTS (
  SELECT 1 FROM portal.practice_stop x
  WHERE x.practice_id = ${practice} AND x.ended_at IS NULL
    AND (${target} OR COALESCE(x.client_id, x.key_id::text, x.organization_id::text) IS NULL))`

export const keyStoppedSql = openStopSql(
  'k.practice_id',
  'x.key_id = k.id OR x.organization_id = k.organization_id',
)

export const appStoppedSql = openStopSql(
  'p.id',
  'x.client_id = c.id OR x.organization_id = c.organization_id',
)
