/**
 * Backend Services: tokens for a system that a practice has authorized, by signed assertion only.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/backend-services.html
 */
import type { Client, Grant, Prisma } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/http/problems.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { narrow, narrowToTypes } from '../../contract/smart/scope-narrowing.ts'
import { parseScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import type { Core } from '../core.ts'
import { type SmartPractice, typesLetOut } from '../practices/fhir-access.ts'
import type { TokenAnswer } from './issue-tokens.ts'
import * as tokens from './issue-tokens.ts'

type SystemTokenRequest = Readonly<{
  practice: SmartPractice
  client: Client
  scope: string | null
  /** The developer who gets it in the portal. */
  issuedById?: string
  seconds?: number
}>

/** @throws Problem of the rows `scope_…`, `system_not_authorized` */
export async function issueSystemToken(core: Core, input: SystemTokenRequest): Promise<TokenAnswer> {
  return core.prisma.$transaction(async (tx) => (await issueSystemTokenIn(core, tx, input)).answer)
}

/** In the transaction of the caller. @throws Problem as `issueSystemToken` */
export async function issueSystemTokenIn(
  core: Core,
  tx: Prisma.TransactionClient,
  { practice, client, scope, ...issued }: SystemTokenRequest,
): Promise<{ answer: TokenAnswer; grant: Grant }> {
  const asked = parse(scope)
  const authorization = await tx.practiceSystemAuthorization.findUnique({
    where: { practiceId_clientId: { practiceId: practice.id, clientId: client.id } },
    include: { grant: true },
  })
  const grant = authorization?.state === 'granted' ? authorization.grant : null
  if (!grant || grant.revokedAt !== null) throw refuse('system_not_authorized')
  const allowed = narrow(asked, readScopes(client.scope), readScopes(grant.scope))
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
    ...issued,
  })
  return { answer, grant }
}

function parse(scope: string | null): readonly Scope[] {
  if (scope === null || scope.trim() === '') throw refuse('scope_malformed')
  try {
    const { scopes } = parseScopes(scope)
    if (scopes.some((each) => each.kind === 'launch' || each.context !== 'system'))
      throw refuse('scope_not_system')
    return scopes
  } catch (error) {
    if (isProblem(error) && error.field === 'scope') throw refuse('scope_malformed')
    throw error
  }
}
