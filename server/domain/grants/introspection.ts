/** What a token is worth now (RFC 7662), and giving it up (RFC 7009). A client sees and ends its own tokens only. */
import type { Client, Grant, Prisma } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { isToken } from '../../contract/smart/token-formats.ts'
import type { Core } from '../core.ts'
import type { SmartPractice } from '../practices/fhir-access.ts'
import { revokeGrant } from './revoke-grant.ts'

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
type Found = {
  kind: 'access' | 'refresh'
  id: string
  scope: string
  createdAt: Date
  expiresAt: Date
  grant: Grant
}

/** Of a token that is not good, or not of this client, nothing but that. */
export async function introspect(
  core: Core,
  { practice, client, token }: TokenRequest,
): Promise<Introspection> {
  const { prisma, addresses } = core
  const found = await find(prisma, token)
  if (!found || found.grant.practiceId !== practice.id) return { active: false }
  if (found.grant.clientId !== client.id && !client.introspectsAll) return { active: false }
  if (!(await isGood(core, found, token))) return { active: false }
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

/** An access token is asked about as the FHIR API asks. */
async function isGood({ smartTokens, clock }: Core, found: Found, token: string): Promise<boolean> {
  if (found.kind === 'access')
    return (await smartTokens.authenticateAnew(`Bearer ${token}`)).kind === 'principal'
  return found.expiresAt > clock() && found.grant.revokedAt === null
}

/**
 * Gives up a token: whatever belongs to a person ends with it; of a backend system only the token, as its grant is
 * the practice's. A token that is unknown, or another client's, is as good as given up.
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

async function find(db: Prisma.TransactionClient, token: string): Promise<Found | null> {
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
