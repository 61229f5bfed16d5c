/**
 * From an Authorization header to a principal. A wrong checksum never reaches the database; a known key is
 * parsed from a cache, and the statement that fetches the data decides whether it is still good (decision 6).
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { asProblem } from '../contract/http/problems.ts'
import { toKeyAccess } from '../contract/keys/key-access.ts'
import { toKeyCaps } from '../contract/keys/key-caps.ts'
import { claimedPrefixOf, parseKey } from '../contract/keys/key-format.ts'
import type { AuthenticationReason } from '../contract/keys/refusal-reasons.ts'
import { createSingleFlight } from '../store/batch-read.ts'
import { explorerSessionSql, keyStoppedSql, type Liveness } from '../store/liveness.ts'
import { type ApiKeyPrincipal, livenessOf } from './principal.ts'

export type ApiKeyRefusal = {
  kind: 'refused'
  reason: AuthenticationReason
  /** The key it is logged to: its prefix is known, or the whole key is. */
  keyId: string | null
  practiceId: string | null
  /** Else what it claims to be. */
  claimedPrefix: string | null
}

export type ApiKeyOutcome =
  /** `fresh`: the database said so during this very request. */
  { kind: 'principal'; principal: ApiKeyPrincipal; fresh: boolean } | ApiKeyRefusal

export type ApiKeyAuth = ReturnType<typeof createApiKeyAuth>

type ApiKeyAuthDependencies = {
  pool: pg.Pool
  store: { isAlive(datasetId: number, liveness: Liveness): Promise<boolean> }
  clock: () => Date
}

const cacheMs = 10 * 60_000

export function createApiKeyAuth({ pool, store, clock }: ApiKeyAuthDependencies) {
  const cache = new LRUCache<string, ApiKeyPrincipal>({
    max: 10_000,
    ttl: cacheMs,
    // Without it the clock is asked only now and then, and a test's clock may have moved.
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  })
  const askOnce = createSingleFlight<boolean>()
  const askKey = createSingleFlight<KeyRow | undefined>()

  async function authenticate(
    authorization: string | null,
    environment: 'sandbox' | 'production',
    { anew = false } = {},
  ): Promise<ApiKeyOutcome> {
    const credential = parseCredential(authorization)
    if (credential.kind === 'refused') return credential
    const name = credential.hash.toString('base64')
    if (anew) cache.delete(name)
    const cached = cache.get(name)
    if (cached?.environment === environment) return { kind: 'principal', principal: cached, fresh: false }
    return resolve(credential, environment)
  }

  async function resolve(
    { hash, prefix }: Credential,
    environment: 'sandbox' | 'production',
  ): Promise<ApiKeyOutcome> {
    const row = await askKey(hash.toString('base64'), () => findKey(pool, hash, prefix, clock()))
    if (row === undefined) return refusal('unknown_key', { claimedPrefix: prefix })
    const reason = reasonAgainst(row, environment, clock())
    if (reason !== null) return refusal(reason, { keyId: row.keyId, practiceId: row.practiceId })
    const principal: ApiKeyPrincipal = {
      kind: 'api_key',
      keyId: row.keyId,
      keyPrefix: row.prefix,
      keyName: row.name,
      level: row.level,
      environment: row.environment,
      mcpWrites: row.mcpWrites,
      expiresAt: row.expiresAt,
      version: row.version,
      access: row.narrowedFrom && toKeyAccess(row),
      narrowedFrom: row.narrowedFrom,
      caps: toKeyCaps(row.cap),
      allowedNetworks: row.allowedNetworks,
      limits: row.burst === null || row.sustained === null ? null : [row.burst, row.sustained],
      practice: {
        id: row.practiceId,
        slug: row.practiceSlug,
        name: row.practiceName,
        datasetId: row.datasetId,
      },
    }
    cache.set(hash.toString('base64'), principal)
    return { kind: 'principal', principal, fresh: true }
  }

  function isAlive(principal: ApiKeyPrincipal): Promise<boolean> {
    const { keyId, practice } = principal
    const ask = () => store.isAlive(practice.datasetId, livenessOf(principal, clock()))
    return askOnce(`${keyId} ${practice.datasetId}`, ask)
  }

  return {
    /** With `anew` it forgets what is cached and asks the database. */
    authenticate,
    /** Whether the principal is good now; one statement for all who ask about a key at the same time. */
    isAlive,
  }
}

/** What a header's key claims to be, for the log of a request that was not looked up. */
export function claimedPrefixIn(authorization: string | null): string | null {
  const credential = parseCredential(authorization)
  return credential.kind === 'refused' ? credential.claimedPrefix : credential.prefix
}

type Credential = { kind: 'credential'; hash: Buffer; prefix: string }

/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function parseCredential(authorization: string | null): Credential | ApiKeyRefusal {
  if (authorization === null || authorization.trim() === '') return refusal('no_credential')
  const [, text] = /^Bearer +(\S+)$/i.exec(authorization.trim()) ?? []
  if (text === undefined) return refusal('wrong_scheme')
  const parsed = parseKey(text)
  if (parsed !== null) {
    return { kind: 'credential', hash: createHash('sha256').update(text).digest(), prefix: parsed.prefix }
  }
  const claimedPrefix = claimedPrefixOf(text)
  const wholeButWrong = claimedPrefix !== null && text.length === 51 && /^\w+$/.test(text)
  return refusal(wholeButWrong ? 'wrong_checksum' : 'malformed_key', { claimedPrefix })
}

type KeyRow = {
  matches: boolean
  keyId: string
  prefix: string
  name: string
  level: 'read_only' | 'full'
  environment: 'sandbox' | 'production'
  expiresAt: Date
  revokedAt: Date | null
  suspendedAt: Date | null
  agreementsValidUntil: Date | null
  version: number
  mcpWrites: boolean
  dataClasses: string[]
  purposes: string[]
  narrowedFrom: Date | null
  cap: Parameters<typeof toKeyCaps>[0]
  allowedNetworks: string[]
  burst: number | null
  sustained: number | null
  /** By the practice. */
  stopped: boolean
  /** False for a key of the explorer whose session is over. */
  hasSession: boolean
  practiceId: string
  practiceSlug: string
  practiceName: string
  practiceState: 'active' | 'suspended'
  practiceEnvironment: 'sandbox' | 'production'
  datasetId: number
}

/** The key itself, or else the one whose prefix is claimed: the same statement, whichever it is. */
async function findKey(pool: pg.Pool, hash: Buffer, prefix: string, now: Date): Promise<KeyRow | undefined> {
  try {
    const { rows } = await pool.query<KeyRow>({
      name: 'auth:api_key',
      text: `SELECT k.secret_hash = $1 AS matches, k.id AS "keyId", k.prefix, k.name, k.level, k.environment,
               k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.suspended_at AS "suspendedAt",
               k.papers_until AS "agreementsValidUntil", k.version, k.mcp_writes AS "mcpWrites",
               k.data_classes AS "dataClasses", k.purposes, k.narrowed_from AS "narrowedFrom", coalesce(k.allowed_networks, '{}') AS "allowedNetworks", l.burst, l.sustained,
               ${explorerSessionSql('k', '$3::timestamptz')} AS "hasSession",
               ${keyStoppedSql} AS "stopped",
               p.id AS "practiceId", p.slug AS "practiceSlug", p.name AS "practiceName", p.state AS "practiceState",
               p.environment AS "practiceEnvironment", p.dataset_id AS "datasetId",
               CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'callsPerDay', c.calls_per_day,
                 'patientsPerDay', c.patients_per_day, 'hoursFrom', c.hours_from, 'hoursUntil', c.hours_until,
                 'zone', c.zone) END AS cap
             FROM portal.api_key k JOIN portal.practice p ON p.id = k.practice_id
             LEFT JOIN portal.key_cap c ON c.id = k.cap_id
             LEFT JOIN LATERAL (
               SELECT g.burst, g.sustained FROM portal.key_limit_grant g
               WHERE g.key_id = k.id AND g.ended_at IS NULL ORDER BY g.created_at DESC, g.id DESC LIMIT 1
             ) l ON true
             WHERE k.secret_hash = $1 OR k.prefix = $2
             ORDER BY matches DESC LIMIT 1`,
      values: [hash, prefix, now],
    })
    return rows[0]
  } catch (error) {
    throw asProblem(error)
  }
}

/** Both the key and its practice must be of the base's environment: a mix-up of data gives no access. */
function reasonAgainst(
  row: KeyRow,
  environment: 'sandbox' | 'production',
  now: Date,
): AuthenticationReason | null {
  if (!row.matches) return 'wrong_secret'
  if (row.revokedAt !== null || !row.hasSession) return 'key_revoked'
  if (row.expiresAt <= now) return 'key_expired'
  if (row.suspendedAt !== null) return 'key_suspended'
  if (row.agreementsValidUntil !== null && row.agreementsValidUntil <= now) return 'key_suspended'
  if (row.stopped) return 'access_stopped'
  if (row.practiceState !== 'active') return 'practice_suspended'
  if (row.environment !== environment || row.practiceEnvironment !== environment) return 'wrong_base'
  return null
}

function refusal(
  reason: AuthenticationReason,
  whose: Partial<Pick<ApiKeyRefusal, 'keyId' | 'practiceId' | 'claimedPrefix'>> = {},
): ApiKeyRefusal {
  return { kind: 'refused', reason, keyId: null, practiceId: null, claimedPrefix: null, ...whose }
}
