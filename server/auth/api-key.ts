/**
 * Turns an Authorization header into a principal. A key with a wrong checksum causes no query. A known key comes from a
 * cache, and the statement that fetches the data decides whether it is still valid (decision 6).
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
  /** The key in the log: it has the same secret, or at least the same prefix. */
  keyId: string | null
  practiceId: string | null
  /** The prefix of an unknown key. */
  claimedPrefix: string | null
}

export type ApiKeyOutcome =
  /** `fresh` if this request has read the key from the database. */
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
    // By default the cache reads the clock only now and then, but the clock of a test can jump.
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
    /** `anew` ignores the cache. */
    authenticate,
    /** Whether the key is valid now. Concurrent calls for the same key share a statement. */
    isAlive,
  }
}

/** The prefix of the header's key, for the log if the key could not be looked up. */
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
  const hasKeyShape = claimedPrefix !== null && text.length === 51 && /^\w+$/.test(text)
  return refusal(hasKeyShape ? 'wrong_checksum' : 'malformed_key', { claimedPrefix })
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
  /** Whether the practice has stopped the key. */
  stopped: boolean
  /** False for an explorer key whose session has ended. */
  hasSession: boolean
  practiceId: string
  practiceSlug: string
  practiceName: string
  practiceState: 'active' | 'suspended'
  practiceEnvironment: 'sandbox' | 'production'
  datasetId: number
}

/** Finds the key, or else a key with the same prefix, for the log. */
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

/** Key and practice must both have the base's environment, so that inconsistent data gives no access. */
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
  caller: Partial<Pick<ApiKeyRefusal, 'keyId' | 'practiceId' | 'claimedPrefix'>> = {},
): ApiKeyRefusal {
  return { kind: 'refused', reason, keyId: null, practiceId: null, claimedPrefix: null, ...caller }
}
