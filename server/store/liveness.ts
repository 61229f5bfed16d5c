/**
 * Whether a credential is good *now*, decided by the very statement that fetches the data (decision 6), so that a
 * revocation holds on the next request at every process without a message. Ten tables say so; their triggers keep the
 * answer in one row of clinical.live (decision 166), which the statement joins by its key.
 */

export type Liveness =
  /** Seeds, imports and tools inside the process: no one's credential. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'api_key'
      readonly keyId: string
      /** What the cached principal believes; false when networks or limits of the key have changed since. */
      readonly keyVersion: number
      readonly practiceId: string
      /** What the cached principal believes; false when the practice has moved to another dataset since. */
      readonly datasetId: number
      /** The injected clock's now. */
      readonly now: Date
      readonly begun?: true
    }
  | {
      readonly kind: 'smart_token'
      readonly tokenId: string
      readonly practiceId: string
      /** What the cached principal believes, as above. */
      readonly datasetId: number
      /** What the cached principal believes the practice lets out; false when its policy has changed since. */
      readonly typesAllowed: readonly string[] | null
      readonly now: Date
      readonly begun?: true
    }

export const noLiveness: Liveness = { kind: 'none' }

/**
 * For the further statements of an answer whose first one was good: the credential still has to be, but when the
 * practice has moved meanwhile, the answer goes on with the data that it began with, for as long as that is kept.
 */
export function begunWith(liveness: Liveness): Liveness {
  return liveness.kind === 'none' ? liveness : { ...liveness, begun: true }
}

export interface LivenessSql {
  /** Goes into statement names: one text per kind. */
  readonly kind: 'none' | 'credential' | 'credential_begun'
  /** A boolean expression. */
  readonly text: string
  readonly values: readonly unknown[]
}

/** @param taken how many parameters of the statement stand before the liveness's own. */
export function livenessSql(liveness: Liveness, taken: number): LivenessSql {
  if (liveness.kind === 'none') return { kind: 'none', text: 'true', values: [] }
  const at = (position: number) => `$${taken + position}`
  const places = {
    credential: `${at(1)}::uuid`,
    practice: `${at(2)}::uuid`,
    dataset: `${at(3)}::int`,
    believed: `${at(4)}::text`,
    now: `${at(5)}::timestamptz`,
  }
  return {
    kind: liveness.begun ? 'credential_begun' : 'credential',
    text: credentialSql(places, liveness.begun),
    values: [
      credentialOf(liveness),
      liveness.practiceId,
      liveness.datasetId,
      believedOf(liveness),
      liveness.now,
    ],
  }
}

/**
 * A row `live.ok` for the FROM of a statement. Without `OFFSET 0` PostgreSQL puts the expression in place of each
 * mention of `live.ok` and decides it again for every one.
 */
export function liveRow({ text }: LivenessSql): string {
  return `(SELECT ${text} AS ok OFFSET 0) live`
}

export type Credential = Exclude<Liveness, { kind: 'none' }>

export function credentialOf(liveness: Credential): string {
  return liveness.kind === 'api_key' ? liveness.keyId : liveness.tokenId
}

/** As portal.live_source writes it. */
export function believedOf(liveness: Credential): string {
  return liveness.kind === 'api_key'
    ? `version ${liveness.keyVersion}`
    : `types ${(liveness.typesAllowed ?? []).join()}`
}

/** Where a statement has what the cached principal believes. */
type Places = Readonly<Record<'credential' | 'practice' | 'dataset' | 'believed' | 'now', string>>

/** A boolean expression, for one credential or for each row of a list of them. */
export function credentialSql({ credential, practice, dataset, believed, now }: Places, begun?: true) {
  return `EXISTS (
          SELECT 1 FROM clinical.live l
          WHERE l.credential = ${credential} AND ${datasetSql(dataset, begun)} AND l.practice_id = ${practice}
            AND l.believed = ${believed} AND l.good_until > ${now})`
}

/** Whether the practice has the data, or had it when the answer began. */
function datasetSql(dataset: string, begun: true | undefined): string {
  const has = `l.dataset_id = ${dataset}`
  return begun
    ? `(${has} OR EXISTS (SELECT 1 FROM clinical.dataset d WHERE d.id = ${dataset} AND d.state = 'ready'))`
    : has
}

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

/**
 * Whether what was issued for a session of the explorer is still backed by a person: the session goes on, and its person
 * is in the organization. Whatever ends one of them ends the key or token with the same statement: nothing has to
 * remember to revoke it. True of whatever has no such session.
 */
const explorerSql = (session: string, organization: string, now: string, more = '') =>
  `(${session} IS NULL OR EXISTS (
          SELECT 1 FROM portal.session s JOIN portal.account sa ON sa.id = s.account_id
            JOIN portal.membership sm ON sm.account_id = s.account_id AND sm.organization_id = ${organization}
          WHERE s.id = ${session} AND s.expires_at > ${now} AND sa.disabled_at IS NULL${more}))`

/** Of portal."grant" `g` at portal.practice `p`. @param now a timestamptz */
export const explorerGrantSql = (now: string) =>
  explorerSql('g.explorer_session_id', 'p.organization_id', now)

/** Of a key, in a role that its level needs. @param key the alias of portal.api_key @param now a timestamptz */
export const explorerSessionSql = (key: string, now: string) =>
  explorerSql(
    `${key}.explorer_session_id`,
    `${key}.organization_id`,
    now,
    ` AND (${key}.level = 'read_only' OR sm.role <> 'viewer')`,
  )

/**
 * Whether the person who agreed still has the role they agreed in, as a condition on portal."grant" `g`: a clinician of the practice,
 * or the patient's own or a parent's login there. A backend system's grant has no person.
 */
export const personAtPracticeSql = `(CASE g.audience
  WHEN 'backend' THEN true
  WHEN 'clinician' THEN EXISTS (
    SELECT 1 FROM portal.practice_membership pm
    WHERE pm.practice_id = g.practice_id AND pm.account_id = g.account_id AND pm.role = 'clinician')
  ELSE EXISTS (
    SELECT 1 FROM portal.patient_login pl
    WHERE pl.practice_id = g.practice_id AND pl.account_id = g.account_id
      AND pl.patient_id = COALESCE(g.patient_id, pl.patient_id)) END)`

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
