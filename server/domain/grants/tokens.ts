import type { Client, Grant, Prisma } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { isProblem } from '../../contract/http/problems.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { narrow, narrowToTypes } from '../../contract/smart/scope-narrowing.ts'
import { parseScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import { isToken } from '../../contract/smart/token-formats.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Core } from '../core.ts'
import { type SmartPractice, typesLetOut } from '../practices/fhir-access.ts'
import type { TokenAnswer } from './issue-tokens.ts'
import * as tokens from './issue-tokens.ts'
import { revokeGrant } from './revoke-grant.ts'

export { exchangeCode } from './exchange-code.ts'
export { findRefreshClient, refreshGrant } from './refresh-grant.ts'

// Token introspection (RFC 7662) and revocation (RFC 7009). A client can only introspect and revoke its own tokens.

type Introspection =
  | Readonly<{ active: false }>
  | Readonly<{
      active: true
      client_id: string
      scope: string
      token_type?: 'Bearer'
      exp: number
      iat: number
      iss: string
      aud: string
      sub?: string
      fhirUser?: string
      patient?: string
      encounter?: string
      intent?: string
    }>

type TokenRequest = Readonly<{ practice: SmartPractice; client: Client; token: string }>
type StoredToken = {
  kind: 'access' | 'refresh'
  id: string
  scope: string
  createdAt: Date
  expiresAt: Date
  grant: Grant
}

/** Only `active: false` for an invalid token, or another client's. */
export async function introspect(
  core: Core,
  { practice, client, token }: TokenRequest,
): Promise<Introspection> {
  const { prisma, addresses } = core
  const found = await find(prisma, token)
  if (!found || found.grant.practiceId !== practice.id) return { active: false }
  if (found.grant.clientId !== client.id && !client.introspectsAll) return { active: false }
  if (!(await isValid(core, found, token))) return { active: false }
  const { grant } = found
  const base = addresses.fhirBase(practice.slug)
  return {
    active: true,
    client_id: grant.clientId,
    scope: found.scope,
    ...(found.kind === 'access' && { token_type: 'Bearer' as const }),
    exp: seconds(found.expiresAt),
    iat: seconds(found.createdAt),
    iss: base,
    aud: base,
    ...(grant.accountId !== null && { sub: grant.accountId }),
    ...(grant.fhirUser !== null && { fhirUser: `${base}/${grant.fhirUser}` }),
    ...(grant.patientId !== null && { patient: grant.patientId }),
    ...(grant.encounterId !== null && { encounter: grant.encounterId }),
    ...(grant.intent !== null && { intent: grant.intent }),
  }
}

/** Whether the token is valid. An access token is checked as the FHIR API checks it. */
async function isValid({ smartTokens, clock }: Core, found: StoredToken, token: string): Promise<boolean> {
  if (found.kind === 'access')
    return (await smartTokens.authenticate(`Bearer ${token}`, { anew: true })).kind === 'principal'
  return found.expiresAt > clock() && found.grant.revokedAt === null
}

/**
 * Revokes a token. A person's grant ends with it. A backend system's grant is the practice's, so only the token ends. An
 * unknown token, or another client's, is ignored.
 */
export async function revoke(
  { prisma, clock, portalAudit }: Core,
  input: TokenRequest & { ip: string; correlationId: string },
): Promise<void> {
  const { practice, client, token, ip, correlationId } = input
  await prisma.$transaction(async (tx) => {
    const found = await find(tx, token)
    if (!found || found.grant.clientId !== client.id || found.grant.practiceId !== practice.id) return
    if (found.kind === 'access')
      await tx.accessToken.updateMany({
        where: { id: found.id, revokedAt: null },
        data: { revokedAt: clock() },
      })
    if (found.grant.audience === 'backend') return
    await revokeGrant(tx, portalAudit, {
      grantId: found.grant.id,
      practiceId: practice.id,
      clientId: client.id,
      reason: 'app',
      by: portalAudit.client({ clientId: client.id, ip, correlationId }),
      now: clock(),
    })
  })
}

async function find(db: Prisma.TransactionClient, token: string): Promise<StoredToken | null> {
  if (isToken('access_token', token)) {
    const row = await db.accessToken.findUnique({
      where: { tokenHash: hashToken(token) },
      include: { grant: true },
    })
    return row && { kind: 'access', ...row }
  }
  if (!isToken('refresh_token', token)) return null
  const row = await db.refreshToken.findUnique({
    where: { tokenHash: hashToken(token) },
    include: { grant: true },
  })
  return row && row.rotatedAt === null ? { kind: 'refresh', ...row } : null
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

// Backend Services: tokens for a system that a practice has authorized, by signed assertion only.
// https://hl7.org/fhir/smart-app-launch/STU2.2/backend-services.html

type SystemTokenRequest = Readonly<{
  practice: SmartPractice
  client: Client
  scope: string | null
  /** The developer who gets the token in the portal. */
  issuedById?: string
  seconds?: number
}>

/** @throws Problem of the rows `scope_…`, `system_not_authorized` */
export const issueSystemToken = async (core: Core, input: SystemTokenRequest): Promise<TokenAnswer> =>
  core.prisma.$transaction(async (tx) => (await issueSystemTokenIn(core, tx, input)).answer)

/** Like `issueSystemToken`, in the caller's transaction. @throws Problem as `issueSystemToken` */
export async function issueSystemTokenIn(
  core: Core,
  tx: Prisma.TransactionClient,
  { practice, client, scope, ...options }: SystemTokenRequest,
): Promise<{ answer: TokenAnswer; grant: Grant }> {
  const requested = parse(scope)
  const authorization = await tx.practiceSystemAuthorization.findUnique({
    where: { practiceId_clientId: { practiceId: practice.id, clientId: client.id } },
    include: { grant: true },
  })
  const grant = authorization?.state === 'granted' ? authorization.grant : null
  if (!grant || grant.revokedAt !== null) throw refuse('system_not_authorized')
  const allowed = narrow(requested, readScopes(client.scope), readScopes(grant.scope))
  const scopes = narrowToTypes(allowed, typesLetOut(practice))
  if (scopes.length === 0) throw refuse('scope_nothing')
  if (grant.activatedAt === null)
    await tx.grant.update({ where: { id: grant.id }, data: { activatedAt: core.clock() } })
  const answer = await tokens.issue(core, tx, {
    grant,
    practice,
    scopes,
    refresh: null,
    nonce: null,
    ...options,
  })
  return { answer, grant }
}

function parse(scope: string | null): readonly Scope[] {
  if (scope === null || scope.trim() === '') throw refuse('scope_malformed')
  try {
    const { scopes } = parseScopes(scope)
    if (scopes.some((item) => item.kind === 'launch' || item.context !== 'system'))
      throw refuse('scope_not_system')
    return scopes
  } catch (error) {
    if (isProblem(error) && error.field === 'scope') throw refuse('scope_malformed')
    throw error
  }
}

// The tick: deletes expired rows a day later, so that a refusal can still name its cause.

const retentionMs = 86_400_000
const attemptRetentionMs = 30 * 86_400_000

/** @returns the number of deleted rows */
export async function deleteExpired({ prisma }: Core, now: Date): Promise<number> {
  const over = { expiresAt: { lte: new Date(now.getTime() - retentionMs) } }
  const used = { expiresAt: { lte: now } }
  const expired = { at: { lte: new Date(now.getTime() - attemptRetentionMs) } }
  const counts = [
    await deleteInBatches((limit) => prisma.grant.deleteMany({ where: issuedInPortal(over), limit })),
    await deleteInBatches((limit) => prisma.accessToken.deleteMany({ where: over, limit })),
    await deleteInBatches((limit) => prisma.refreshToken.deleteMany({ where: over, limit })),
    await deleteInBatches((limit) => prisma.authorizationCode.deleteMany({ where: over, limit })),
    await deleteInBatches((limit) => prisma.usedAssertion.deleteMany({ where: used, limit })),
    await deleteInBatches((limit) => prisma.assertionAttempt.deleteMany({ where: expired, limit })),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Grants of tokens that developers got in the portal. They are no consent of a person, so they are deleted. */
function issuedInPortal(over: Prisma.AccessTokenWhereInput): Prisma.GrantWhereInput {
  return { audience: { not: 'backend' }, accessTokens: { some: { issuedById: { not: null }, ...over } } }
}
