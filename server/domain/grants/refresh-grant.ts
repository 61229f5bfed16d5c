/**
 * Refresh: every use replaces the token. A second use of a token is a sign of theft and revokes the grant, except within
 * seconds, because two requests of one app may have used it at once.
 * https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2
 */
import type { Client, Grant, Prisma, RefreshToken } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { isProblem } from '../../contract/http/problems.ts'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'
import { type OAuthRefusal, refuse } from '../../contract/smart/oauth-errors.ts'
import { covers, narrow, narrowToTypes } from '../../contract/smart/scope-narrowing.ts'
import { parseScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import { isToken } from '../../contract/smart/token-formats.ts'
import type { Core } from '../core.ts'
import { type SmartPractice, typesLetOut } from '../practices/fhir-access.ts'
import { refreshEnd } from './exchange-code.ts'
import type { TokenAnswer } from './issue-tokens.ts'
import * as tokens from './issue-tokens.ts'
import { revokeGrant } from './revoke-grant.ts'

type Refresh = Readonly<{
  practice: SmartPractice
  client: Client
  refreshToken: string
  /** The requested scopes; null for the same as before. */
  scope: string | null
  ip: string
  correlationId: string
}>
type TokenWithGrant = RefreshToken & {
  grant: Grant & { account: { disabledAt: Date | null } | null }
}

async function findRefusal(
  { clock, portalAudit }: Core,
  tx: Prisma.TransactionClient,
  token: TokenWithGrant | null,
  { practice, client, ip, correlationId }: Refresh,
): Promise<OAuthRefusal | null> {
  if (token === null || token.grant.practiceId !== practice.id) return 'refresh_unknown'
  const { grant } = token
  if (grant.clientId !== client.id) return 'refresh_of_other_client'
  if (grant.revokedAt !== null) return 'grant_revoked'
  const now = clock()
  if (token.rotatedAt !== null) {
    const ageMs = now.getTime() - token.rotatedAt.getTime()
    if (ageMs <= smartLifetimes.refreshRepeatSeconds * 1000) return 'refresh_repeated'
    await revokeGrant(tx, portalAudit, {
      grantId: grant.id,
      practiceId: grant.practiceId,
      clientId: grant.clientId,
      reason: 'refresh_reuse',
      by: portalAudit.client({ clientId: client.id, ip, correlationId }),
      now,
    })
    return 'refresh_reused'
  }
  if (token.expiresAt <= now) return 'refresh_expired'
  return (await mayStillGrant(tx, grant)) ? null : 'person_left'
}

/** Whether the person still works at this practice, or still acts for the patient there. */
async function mayStillGrant(tx: Prisma.TransactionClient, grant: TokenWithGrant['grant']): Promise<boolean> {
  if (grant.accountId === null || grant.account?.disabledAt) return false
  const where = { practiceId: grant.practiceId, accountId: grant.accountId }
  if (grant.audience === 'clinician')
    return (await tx.practiceMembership.count({ where: { ...where, role: 'clinician' } })) > 0
  const patient = grant.patientId === null ? {} : { patientId: grant.patientId }
  return (await tx.patientLogin.count({ where: { ...where, ...patient } })) > 0
}

/** The client ID of the app that a refresh token was issued to; null for an unknown token. */
export async function findRefreshClient({ prisma }: Core, refreshToken: string): Promise<string | null> {
  if (!isToken('refresh_token', refreshToken)) return null
  const where = { tokenHash: hashToken(refreshToken) }
  const token = await prisma.refreshToken.findUnique({
    where,
    select: { grant: { select: { clientId: true } } },
  })
  return token?.grant.clientId ?? null
}

/** @throws Problem of the rows `refresh_…`, `grant_revoked`, `person_left`, `scope_wider` */
export async function refreshGrant(core: Core, input: Refresh): Promise<TokenAnswer> {
  const { prisma, clock } = core
  const { practice } = input
  if (!isToken('refresh_token', input.refreshToken)) throw refuse('refresh_unknown')
  const tokenHash = hashToken(input.refreshToken)
  const result = await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM portal.refresh_token WHERE token_hash = ${tokenHash} FOR UPDATE`
    const token = await tx.refreshToken.findUnique({
      where: { tokenHash },
      include: { grant: { include: { account: { select: { disabledAt: true } } } } },
    })
    const refusal = await findRefusal(core, tx, token, input)
    if (refusal !== null || token === null) return { refusal: refusal ?? ('refresh_unknown' as const) }
    const { grant } = token
    const expiresAt = await refreshEnd(tx, grant, clock())
    if (expiresAt === null) return { refusal: 'refresh_expired' as const }
    const granted = readScopes(token.scope)
    const allowed = narrow(granted, readScopes(input.client.scope))
    const scopeList = input.scope === null ? null : parse(input.scope)
    const scopes = narrowToTypes(
      scopeList === null ? allowed : narrow(scopeList, allowed),
      typesLetOut(practice),
    )
    if (scopeList?.some((scope) => !covers(granted, scope))) return { refusal: 'scope_wider' as const }
    await tx.refreshToken.update({
      where: { id: token.id },
      data: { rotatedAt: clock() },
      select: { id: true },
    })
    // The new refresh token has the old one's scopes, even if this access token has fewer (RFC 6749 §6).
    const issue = { grant, practice, scopes, refresh: { scope: token.scope, expiresAt }, nonce: null }
    return { refusal: null, issue, answer: await tokens.issue(core, tx, issue) }
  })
  if (result.refusal !== null) throw refuse(result.refusal)
  return tokens.withIdToken(core, result.answer, result.issue)
}

function parse(scope: string): readonly Scope[] {
  try {
    const { scopes, refused } = parseScopes(scope)
    if (refused.length > 0) throw refuse('scope_wider')
    return scopes
  } catch (error) {
    if (isProblem(error) && error.field === 'scope') throw refuse('scope_malformed')
    throw error
  }
}
