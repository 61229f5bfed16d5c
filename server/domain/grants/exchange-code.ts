/**
 * The authorization code grant: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3 with PKCE, RFC 7636. The first
 * exchange uses up the code, even if it fails. A second one revokes the code's tokens.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { AuthorizationCode, Client, Grant, Prisma } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'
import { type OAuthRefusal, refuse } from '../../contract/smart/oauth-errors.ts'
import { narrowToTypes } from '../../contract/smart/scope-narrowing.ts'
import { readScopes } from '../../contract/smart/scopes.ts'
import { isToken } from '../../contract/smart/token-formats.ts'
import { isUnregisteredApp, unregisteredApps } from '../../contract/smart/unregistered-apps.ts'
import type { Core } from '../core.ts'
import { type SmartPractice, typesLetOut } from '../practices/fhir-access.ts'
import * as tokens from './issue-tokens.ts'
import { grants, type TokenAnswer } from './issue-tokens.ts'
import { revokeGrant } from './revoke-grant.ts'

type CodeExchange = Readonly<{
  practice: SmartPractice
  client: Client
  code: string
  redirectUri: string | null
  codeVerifier: string | null
  ip: string
  correlationId: string
}>
type CodeWithGrant = AuthorizationCode & { grant: Grant }

/** A second use means that the code was stolen. https://www.rfc-editor.org/rfc/rfc6749#section-10.5 */
async function endGrant(
  { portalAudit, clock }: Core,
  tx: Prisma.TransactionClient,
  { grant }: CodeWithGrant,
  { client, ip, correlationId }: CodeExchange,
): Promise<void> {
  await revokeGrant(tx, portalAudit, {
    grantId: grant.id,
    practiceId: grant.practiceId,
    clientId: grant.clientId,
    reason: 'code_replay',
    by: portalAudit.client({ clientId: client.id, ip, correlationId }),
    now: clock(),
  })
}

/** @throws Problem of the rows `code_…`, `redirect_differs`, `verifier_wrong`, `grant_revoked` */
export async function exchangeCode(core: Core, input: CodeExchange): Promise<TokenAnswer> {
  const { prisma, clock } = core
  const { practice, client } = input
  const codeHash = isToken('code', input.code) ? hashToken(input.code) : null
  if (codeHash === null) throw refuse('code_unknown')
  const result = await prisma.$transaction(async (tx) => {
    // The lock makes a concurrent request with the same code see the result of this one.
    await tx.$queryRaw`SELECT 1 FROM portal.authorization_code WHERE code_hash = ${codeHash} FOR UPDATE`
    const code = await tx.authorizationCode.findUnique({ where: { codeHash }, include: { grant: true } })
    const refusal = await consume(tx, code, input)
    if (refusal !== null || code === null) return { refusal: refusal ?? ('code_unknown' as const) }
    const scopes = narrowToTypes(readScopes(code.grant.scope), typesLetOut(practice))
    await tx.grant.update({ where: { id: code.grantId }, data: { activatedAt: clock() } })
    const refresh = await firstRefresh(tx, code.grant, clock())
    const issue = { grant: code.grant, practice, scopes, refresh, nonce: code.nonce }
    return { refusal: null, issue, answer: await tokens.issue(core, tx, issue) }
  })
  if (result.refusal !== null) throw refuse(result.refusal)
  return tokens.withIdToken(core, result.answer, result.issue)

  /** Uses up the code in any case. @returns the reason why it gets no tokens, or null */
  async function consume(
    tx: Prisma.TransactionClient,
    code: CodeWithGrant | null,
    { redirectUri, codeVerifier }: CodeExchange,
  ): Promise<OAuthRefusal | null> {
    if (code === null || code.grant.practiceId !== practice.id) return 'code_unknown'
    if (code.consumedAt !== null) {
      await endGrant(core, tx, code, input)
      return 'code_used'
    }
    await tx.authorizationCode.update({
      where: { codeHash: code.codeHash },
      data: { consumedAt: clock() },
      select: { codeHash: true },
    })
    if (code.grant.clientId !== client.id) return 'code_of_other_client'
    if (code.expiresAt <= clock()) return 'code_expired'
    if (code.redirectUri !== redirectUri) return 'redirect_differs'
    if (!isVerifierOf(code.codeChallenge, codeVerifier)) return 'verifier_wrong'
    return code.grant.revokedAt === null ? null : 'grant_revoked'
  }
}

/** https://www.rfc-editor.org/rfc/rfc7636#section-4.6 */
function isVerifierOf(challenge: string, verifier: string | null): boolean {
  if (verifier === null || !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  const digest = Buffer.from(hash('sha256', verifier, 'base64url'))
  const expected = Buffer.from(challenge)
  return digest.length === expected.length && timingSafeEqual(digest, expected)
}

// Refresh tokens: whether a grant gets one, and how long it lives.

/**
 * A refresh token for `offline_access` lives for 100 days from its last use, and for an unregistered app one hour in
 * total. One for `online_access` lives as long as the person's session.
 * @returns null if the grant gets no refresh token
 */
async function firstRefresh(tx: Prisma.TransactionClient, grant: Grant, now: Date) {
  const expiresAt = await refreshEnd(tx, grant, now)
  return expiresAt && { scope: grant.scope, expiresAt }
}

/** @returns when a refresh token issued now expires; null if none may be issued */
export async function refreshEnd(tx: Prisma.TransactionClient, grant: Grant, now: Date) {
  const scopes = readScopes(grant.scope)
  if (isUnregisteredApp(grant.clientId)) {
    const end = new Date(grant.createdAt.getTime() + unregisteredApps.grantMinutes * 60_000)
    return grants(scopes, 'offline_access') && end > now ? end : null
  }
  if (grants(scopes, 'offline_access'))
    return new Date(now.getTime() + smartLifetimes.refreshTokenDays * 86_400_000)
  if (!grants(scopes, 'online_access') || grant.sessionId === null) return null
  const session = await tx.session.findUnique({
    where: { id: grant.sessionId },
    select: { expiresAt: true },
  })
  return session && session.expiresAt > now ? session.expiresAt : null
}
