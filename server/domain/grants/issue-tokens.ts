/** Issues tokens of a grant in the caller's transaction, and makes the token response. */
import type { Grant, Prisma } from '../../../prisma/generated/client/client.ts'
import { hashToken, randomToken } from '../../auth/random-token.ts'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'
import { formatScopes, type LaunchScope, type Scope } from '../../contract/smart/scopes.ts'
import type { Core } from '../core.ts'
import type { SmartPractice } from '../practices/fhir-access.ts'

/** The token response, https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html#obtain-access-token */
export type TokenAnswer = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
  refresh_token?: string
  id_token?: string
  patient?: string
  encounter?: string
  intent?: string
  need_patient_banner?: boolean
  smart_style_url?: string
}
type Issue = {
  grant: Grant
  practice: SmartPractice
  /** The scopes of the access token. */
  scopes: readonly Scope[]
  /** Null if no refresh token is issued. */
  refresh: { scope: string; expiresAt: Date } | null
  /** The nonce of the authorize request, which only the first id_token repeats. */
  nonce: string | null
  /** The lifetime, if it differs from the audience's default. */
  seconds?: number
  /** The developer who gets the token in the portal. */
  issuedById?: string
}

/** Stores the tokens. @returns the response without the id_token */
export async function issue(core: Core, tx: Prisma.TransactionClient, input: Issue): Promise<TokenAnswer> {
  const { clock, randomBytes } = core
  const { grant, scopes, refresh, practice, issuedById = null } = input
  const { systemTokenSeconds, accessTokenSeconds } = smartLifetimes
  const { seconds = grant.audience === 'backend' ? systemTokenSeconds : accessTokenSeconds } = input
  const now = clock()
  const accessToken = randomToken('access_token', randomBytes)
  await tx.accessToken.create({
    data: {
      tokenHash: hashToken(accessToken),
      grantId: grant.id,
      scope: formatScopes(scopes),
      createdAt: now,
      expiresAt: new Date(now.getTime() + seconds * 1000),
      issuedById,
    },
    select: { id: true },
  })
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: seconds,
    scope: formatScopes(scopes),
    ...(refresh && { refresh_token: await issueRefresh(core, tx, grant, refresh, now) }),
    ...contextOf(core, grant, practice),
  }
}

async function issueRefresh(
  { randomBytes }: Core,
  tx: Prisma.TransactionClient,
  grant: Grant,
  { scope, expiresAt }: { scope: string; expiresAt: Date },
  now: Date,
): Promise<string> {
  const token = randomToken('refresh_token', randomBytes)
  await tx.refreshToken.create({
    data: { tokenHash: hashToken(token), grantId: grant.id, scope, createdAt: now, expiresAt },
    select: { id: true },
  })
  return token
}

/** Adds the id_token. It is called outside the transaction, so that signing does not prolong it. */
export async function withIdToken(
  { clock, addresses, signingKeys }: Core,
  answer: TokenAnswer,
  input: Issue,
): Promise<TokenAnswer> {
  const { grant, scopes, practice, nonce } = input
  if (!grants(scopes, 'openid') || grant.accountId === null) return answer
  const now = clock()
  const base = addresses.fhirBase(practice.slug)
  const idToken = await signingKeys.signIdToken({
    issuer: base,
    subject: grant.accountId,
    clientId: grant.clientId,
    issuedAt: now,
    expiresAt: new Date(now.getTime() + answer.expires_in * 1000),
    authenticatedAt: grant.authenticatedAt,
    nonce,
    fhirUser: grants(scopes, 'fhirUser') && grant.fhirUser ? `${base}/${grant.fhirUser}` : null,
  })
  return { ...answer, id_token: idToken }
}

/** The launch context in the token response. */
function contextOf({ addresses }: Core, grant: Grant, practice: SmartPractice) {
  return {
    ...(grant.patientId !== null && { patient: grant.patientId }),
    ...(grant.encounterId !== null && { encounter: grant.encounterId }),
    ...(grant.intent !== null && { intent: grant.intent }),
    ...(grant.needPatientBanner !== null && {
      need_patient_banner: grant.needPatientBanner,
      smart_style_url: addresses.style(practice.slug),
    }),
  }
}

export const grants = (scopes: readonly Scope[], name: LaunchScope['name']): boolean =>
  scopes.some((scope) => scope.kind === 'launch' && scope.name === name)
