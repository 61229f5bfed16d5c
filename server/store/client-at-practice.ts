/**
 * Whether an app may be used at a practice, as a condition on portal.client `c` and portal.practice `p`. A sandbox
 * registration is unknown at production practices and the other way round; an organization's sandbox is for its
 * own apps and ours.
 */
export const clientAtPracticeSql = `(
  c.environment = p.environment
  AND (p.purpose <> 'organization_sandbox' OR c.organization_id IS NULL OR c.organization_id = p.organization_id)
  AND (c.every_practice OR c.organization_id = p.organization_id OR EXISTS (
    SELECT 1 FROM portal.client_practice cp WHERE cp.client_id = c.id AND cp.practice_id = p.id)))`
