/** A token for a person of a sandbox practice, of a grant that nobody had to agree to: the lab's only way to one. */
import type { Grant, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { narrow, narrowToTypes } from '../../contract/smart/scope-narrowing.ts'
import { formatScopes, parseScopes, type Scope } from '../../contract/smart/scopes.ts'
import type { Core } from '../../domain/core.ts'
import { issue, type TokenAnswer } from '../../domain/grants/issue-tokens.ts'
import type { SmartPractice } from '../../domain/practices/fhir-access.ts'

type PersonToken = Readonly<{
  clientId: string
  practice: SmartPractice
  audience: 'patient' | 'clinician'
  accountId: string
  scopes: readonly Scope[]
  patientId: string | null
  /** Relative reference. */
  fhirUser: string
  /** Of the explorer: the token ends with it. */
  explorerSessionId?: string | null
  seconds?: number
  issuedById?: string
}>

/** @throws Error for a production practice, where only people agree */
export async function issuePersonToken(
  core: Core,
  tx: Prisma.TransactionClient,
  input: PersonToken,
): Promise<{ grant: Grant; answer: TokenAnswer }> {
  const { clientId, practice, audience, accountId, scopes, patientId, fhirUser, ...more } = input
  const { explorerSessionId = null, ...issued } = more
  if (practice.environment !== 'sandbox')
    throw new Error('no token without a person at a production practice')
  const now = core.clock()
  const grant = await tx.grant.create({
    data: {
      clientId,
      practiceId: practice.id,
      audience,
      accountId,
      scope: formatScopes(scopes),
      patientId,
      fhirUser,
      explorerSessionId,
      createdAt: now,
      activatedAt: now,
    },
  })
  const answer = await issue(core, tx, { grant, practice, scopes, refresh: null, nonce: null, ...issued })
  return { grant, answer }
}

/** @throws Problem `validation` of the field `scope`, saying which scope is not possible and why */
export function readAskedScopes(text: string): readonly Scope[] {
  const { scopes, refused } = parseScopes(text)
  const [first] = refused
  if (first) throw wrongScope(`${first.text}: ${first.reason}`)
  return scopes
}

/**
 * What is granted of it: within every bound, and of types that the practice lets out.
 * @throws Problem `validation` of the field `scope` when nothing is left
 */
export function boundScopes(
  asked: readonly Scope[],
  bounds: readonly (readonly Scope[])[],
  typesLetOut: readonly string[] | null,
): readonly Scope[] {
  const bounded = narrowToTypes(narrow(asked, ...bounds), typesLetOut)
  if (!bounded.some(({ kind }) => kind === 'resource'))
    throw wrongScope('Choose at least one scope that this practice allows.')
  return bounded
}

export function wrongScope(message: string): Problem {
  return new Problem('validation', { field: 'scope', message })
}
