/**
 * Turns an Authorization header into the principal of an access token. A malformed token causes no query. A known token
 * comes from a cache, and the statement that fetches the data decides whether it, its grant, its app and its practice are
 * still valid (decision 6).
 */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { asProblem } from '../contract/http/problems.ts'
import type { AuthenticationReason, tokenReasons } from '../contract/keys/refusal-reasons.ts'
import type { OAuthRefusal } from '../contract/smart/oauth-errors.ts'
import { readScopes } from '../contract/smart/scopes.ts'
import { isToken } from '../contract/smart/token-formats.ts'
import { createSingleFlight } from '../store/batch-read.ts'
import {
  appStoppedSql,
  clientAtPracticeSql,
  explorerGrantSql,
  type Liveness,
  personAtPracticeSql,
} from '../store/liveness.ts'
import { livenessOf, type SmartPrincipal } from './principal.ts'

/** The reasons for which a token is refused, for the app's developers and the log. The response only has the status. */
const tokenRefusals = {
  no_credential: 'unauthorized',
  wrong_scheme: 'unauthorized',
  malformed_token: 'unauthorized',
  unknown_token: 'unauthorized',
  token_expired: 'unauthorized',
  token_revoked: 'unauthorized',
  grant_revoked: 'unauthorized',
  client_suspended: 'unauthorized',
  access_stopped: 'unauthorized',
  client_not_at_practice: 'unauthorized',
  account_disabled: 'unauthorized',
  person_left: 'unauthorized',
  practice_suspended: 'forbidden',
  fhir_not_enabled: 'forbidden',
  audience_not_allowed: 'forbidden',
} as const satisfies Partial<
  Record<AuthenticationReason | OAuthRefusal | keyof typeof tokenReasons, 'unauthorized' | 'forbidden'>
>

type TokenRefusalReason = keyof typeof tokenRefusals

export type SmartTokenRefusal = {
  kind: 'refused'
  reason: TokenRefusalReason
  /** 401, or 403 if the practice does not allow the app. */
  problem: (typeof tokenRefusals)[TokenRefusalReason]
  /** For the log, if the token is known. */
  clientId: string | null
  practiceId: string | null
  environment: 'sandbox' | 'production' | null
}

export type SmartTokenOutcome =
  /** `fresh` if this request has read the token from the database. */
  { kind: 'principal'; principal: SmartPrincipal; fresh: boolean } | SmartTokenRefusal

export type SmartTokenAuth = ReturnType<typeof createSmartTokenAuth>

type Dependencies = {
  pool: pg.Pool
  store: { isAlive(datasetId: number, liveness: Liveness): Promise<boolean> }
  clock: () => Date
}

const cacheMs = 10 * 60_000

export function createSmartTokenAuth({ pool, store, clock }: Dependencies) {
  const cache = new LRUCache<string, SmartPrincipal>({
    max: 20_000,
    ttl: cacheMs,
    // By default the cache reads the clock only now and then, but the clock of a test can jump.
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  })
  const askOnce = createSingleFlight<boolean>()
  const askToken = createSingleFlight<TokenRow | undefined>()

  async function authenticate(
    authorization: string | null,
    { anew = false } = {},
  ): Promise<SmartTokenOutcome> {
    const token = parseBearer(authorization)
    if (typeof token !== 'string') return token
    const tokenHash = hash('sha256', token, 'base64')
    if (anew) cache.delete(tokenHash)
    const cached = cache.get(tokenHash)
    return cached === undefined ? resolve(tokenHash) : { kind: 'principal', principal: cached, fresh: false }
  }

  async function resolve(tokenHash: string): Promise<SmartTokenOutcome> {
    const row = await askToken(tokenHash, () => findToken(pool, tokenHash, clock()))
    if (row === undefined) return refusal('unknown_token')
    const reason = reasonAgainst(row, clock())
    if (reason !== null) return refusal(reason, row)
    const principal = toPrincipal(row)
    cache.set(tokenHash, principal)
    return { kind: 'principal', principal, fresh: true }
  }

  function isAlive(principal: SmartPrincipal): Promise<boolean> {
    const { tokenId, practice, typesAllowed } = principal
    const ask = () => store.isAlive(practice.datasetId, livenessOf(principal, clock()))
    return askOnce(`${tokenId} ${practice.datasetId} ${typesAllowed?.join()}`, ask)
  }

  return {
    /** `anew` ignores the cache, after a statement found the principal invalid. */
    authenticate,
    /** Whether the token is valid now. Concurrent calls for the same token share a statement. */
    isAlive,
  }
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function parseBearer(authorization: string | null): string | SmartTokenRefusal {
  if (authorization === null || authorization.trim() === '') return refusal('no_credential')
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization.trim()) ?? []
  if (token === undefined) return refusal('wrong_scheme')
  return isToken('access_token', token) ? token : refusal('malformed_token')
}

type TokenRow = {
  tokenId: string
  scope: string
  expiresAt: Date
  tokenRevokedAt: Date | null
  grantId: string
  grantRevokedAt: Date | null
  audience: SmartPrincipal['audience']
  patientId: string | null
  encounterId: string | null
  fhirUser: string | null
  accountDisabledAt: Date | null
  clientId: string
  clientSuspended: boolean
  /** Whether the practice has stopped the app. */
  stopped: boolean
  clientAtPractice: boolean
  personAtPractice: boolean
  /** False for an explorer token whose session has ended. */
  hasSession: boolean
  environment: 'sandbox' | 'production'
  practiceId: string
  practiceSlug: string
  practiceName: string
  practiceState: 'active' | 'suspended'
  fhirEnabled: boolean
  audienceAllowed: boolean
  fhirTypes: string[]
  datasetId: number
}

async function findToken(pool: pg.Pool, tokenHash: string, now: Date): Promise<TokenRow | undefined> {
  try {
    const { rows } = await pool.query<TokenRow>({
      name: 'auth:smart_token',
      text: `SELECT t.id AS "tokenId", t.scope, t.expires_at AS "expiresAt", t.revoked_at AS "tokenRevokedAt",
               g.id AS "grantId", g.revoked_at AS "grantRevokedAt", g.audience, g.patient_id AS "patientId",
               g.encounter_id AS "encounterId", g.fhir_user AS "fhirUser", a.disabled_at AS "accountDisabledAt",
               c.id AS "clientId", c.environment,
               (c.suspended_at IS NOT NULL OR c.removed_at IS NOT NULL) AS "clientSuspended",
               ${appStoppedSql} AS "stopped",
               ${clientAtPracticeSql} AS "clientAtPractice", ${personAtPracticeSql} AS "personAtPractice",
               ${explorerGrantSql('$2::timestamptz')} AS "hasSession",
               p.id AS "practiceId", p.slug AS "practiceSlug", p.name AS "practiceName", p.state AS "practiceState",
               p.fhir_enabled AS "fhirEnabled", g.audience = ANY (p.fhir_audiences) AS "audienceAllowed",
               p.fhir_types AS "fhirTypes", p.dataset_id AS "datasetId"
             FROM portal.access_token t JOIN portal."grant" g ON g.id = t.grant_id
               JOIN portal.client c ON c.id = g.client_id JOIN portal.practice p ON p.id = g.practice_id
               LEFT JOIN portal.account a ON a.id = g.account_id
             WHERE t.token_hash = $1`,
      values: [Buffer.from(tokenHash, 'base64'), now],
    })
    return rows[0]
  } catch (error) {
    throw asProblem(error)
  }
}

/** An invalid token is reported first, so that only holders of a valid one get 403. */
function reasonAgainst(row: TokenRow, now: Date): TokenRefusalReason | null {
  if (row.tokenRevokedAt !== null) return 'token_revoked'
  if (row.grantRevokedAt !== null || !row.hasSession) return 'grant_revoked'
  if (row.expiresAt <= now) return 'token_expired'
  if (row.clientSuspended) return 'client_suspended'
  if (row.stopped) return 'access_stopped'
  if (row.accountDisabledAt !== null) return 'account_disabled'
  if (!row.personAtPractice) return 'person_left'
  if (!row.clientAtPractice) return 'client_not_at_practice'
  if (row.practiceState !== 'active') return 'practice_suspended'
  if (!row.fhirEnabled) return 'fhir_not_enabled'
  if (!row.audienceAllowed) return 'audience_not_allowed'
  return null
}

function toPrincipal(row: TokenRow): SmartPrincipal {
  const scopes = readScopes(row.scope)
  return {
    kind: 'smart_token',
    tokenId: row.tokenId,
    grantId: row.grantId,
    clientId: row.clientId,
    audience: row.audience,
    environment: row.environment,
    expiresAt: row.expiresAt,
    practice: {
      id: row.practiceId,
      slug: row.practiceSlug,
      name: row.practiceName,
      datasetId: row.datasetId,
    },
    patientId: row.patientId,
    encounterId: row.encounterId,
    fhirUser: row.fhirUser,
    readsFhirUser: scopes.some((scope) => scope.kind === 'launch' && scope.name === 'fhirUser'),
    scopes: scopes
      .filter((scope) => scope.kind === 'resource')
      .sort((one, other) => (one.type < other.type ? -1 : 1)),
    typesAllowed: row.fhirTypes.length === 0 ? null : row.fhirTypes,
  }
}

function refusal(
  reason: TokenRefusalReason,
  row?: Pick<TokenRow, 'clientId' | 'practiceId' | 'environment'>,
): SmartTokenRefusal {
  return {
    kind: 'refused',
    reason,
    problem: tokenRefusals[reason],
    clientId: row?.clientId ?? null,
    practiceId: row?.practiceId ?? null,
    environment: row?.environment ?? null,
  }
}
