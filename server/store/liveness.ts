/**
 * The statement that fetches data also checks whether the credential is valid *now* (decision 6), so that a revocation
 * works on the next request in every process without messages. Ten tables decide that; their triggers keep the result in
 * one row of clinical.live (decision 166), which the statement looks up by its key.
 */

export type Liveness =
  /** For seeds, imports and tools, which have no credential. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'api_key'
      readonly keyId: string
      /** From the cached principal. Another version means that the key's networks or limits have changed. */
      readonly keyVersion: number
      readonly practiceId: string
      /** From the cached principal. Another id means that the practice has moved to another dataset. */
      readonly datasetId: number
      /** The time of the injected clock. */
      readonly now: Date
      readonly begun?: true
    }
  | {
      readonly kind: 'smart_token'
      readonly tokenId: string
      readonly practiceId: string
      /** As above. */
      readonly datasetId: number
      /** From the cached principal. Other types mean that the practice's policy has changed. */
      readonly typesAllowed: readonly string[] | null
      readonly now: Date
      readonly begun?: true
    }

export const noLiveness: Liveness = { kind: 'none' }

/**
 * For later statements of a response whose first statement found the credential valid. It must still be valid, but if the
 * practice has moved meanwhile, the response continues with the dataset that it began with, as long as that exists.
 */
export function begunWith(liveness: Liveness): Liveness {
  return liveness.kind === 'none' ? liveness : { ...liveness, begun: true }
}

export interface LivenessSql {
  /** Part of statement names: each kind has its own SQL. */
  readonly kind: 'none' | 'credential' | 'credential_begun'
  /** A boolean expression. */
  readonly text: string
  readonly values: readonly unknown[]
}

/** @param taken the number of parameters before these */
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
 * A row `live.ok` for the FROM of a statement. Without `OFFSET 0` PostgreSQL inlines the expression and evaluates it for
 * every use of `live.ok`.
 */
export function liveRow({ text }: LivenessSql): string {
  return `(SELECT ${text} AS ok OFFSET 0) live`
}

export type Credential = Exclude<Liveness, { kind: 'none' }>

export function credentialOf(liveness: Credential): string {
  return liveness.kind === 'api_key' ? liveness.keyId : liveness.tokenId
}

/** In the format of portal.live_source. */
export function believedOf(liveness: Credential): string {
  return liveness.kind === 'api_key'
    ? `version ${liveness.keyVersion}`
    : `types ${(liveness.typesAllowed ?? []).join()}`
}

/** The SQL expressions of a statement for the values of the cached principal. */
type Places = Readonly<Record<'credential' | 'practice' | 'dataset' | 'believed' | 'now', string>>

/** A boolean expression, for one credential or for each row of a list of them. */
export function credentialSql({ credential, practice, dataset, believed, now }: Places, begun?: true) {
  return `EXISTS (
          SELECT 1 FROM clinical.live l
          WHERE l.credential = ${credential} AND ${datasetSql(dataset, begun)} AND l.practice_id = ${practice}
            AND l.believed = ${believed} AND l.good_until > ${now})`
}

/** Whether the practice has the dataset, or had it when the response began. */
function datasetSql(dataset: string, begun: true | undefined): string {
  const has = `l.dataset_id = ${dataset}`
  return begun
    ? `(${has} OR EXISTS (SELECT 1 FROM clinical.dataset d WHERE d.id = ${dataset} AND d.state = 'ready'))`
    : has
}

/**
 * Whether an app may be used at a practice, as a condition on portal.client `c` and portal.practice `p`. Both must have the
 * same environment, and an organization's sandbox accepts only the organization's apps and ours.
 */
export const clientAtPracticeSql = `(
  c.environment = p.environment
  AND (p.purpose <> 'organization_sandbox' OR c.organization_id IS NULL OR c.organization_id = p.organization_id)
  AND (c.every_practice OR c.organization_id = p.organization_id OR EXISTS (
    SELECT 1 FROM portal.client_practice cp WHERE cp.client_id = c.id AND cp.practice_id = p.id)))`

/**
 * A key or token that was issued for an explorer session is valid only while the session lasts and its account is a member
 * of the organization. So ending either of them also ends the key or token. True for keys and tokens without such a session.
 */
const explorerSql = (session: string, organization: string, now: string, more = '') =>
  `(${session} IS NULL OR EXISTS (
          SELECT 1 FROM portal.session s JOIN portal.account sa ON sa.id = s.account_id
            JOIN portal.membership sm ON sm.account_id = s.account_id AND sm.organization_id = ${organization}
          WHERE s.id = ${session} AND s.expires_at > ${now} AND sa.disabled_at IS NULL${more}))`

/** The condition for portal."grant" `g` at portal.practice `p`. @param now a timestamptz */
export const explorerGrantSql = (now: string) =>
  explorerSql('g.explorer_session_id', 'p.organization_id', now)

/** The condition for a key, which also needs a role that allows its level. @param key alias of portal.api_key @param now a timestamptz */
export const explorerSessionSql = (key: string, now: string) =>
  explorerSql(
    `${key}.explorer_session_id`,
    `${key}.organization_id`,
    now,
    ` AND (${key}.level = 'read_only' OR sm.role <> 'viewer')`,
  )

/**
 * Whether the person who approved the app still has the same role, as a condition on portal."grant" `g`: clinician of the
 * practice, or a login for the patient's chart. The grant of a backend system has no person.
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
 * portal.practice `p`. A stop without a target stops all access. portal.live_source has the same rule for statements that
 * read records.
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
