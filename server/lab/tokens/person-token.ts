/** A token for a person of a sandbox practice, of a grant that no one had to agree to: the lab's only way to one. */
import type { Client, Prisma } from '../../../prisma/generated/client/client.ts'
import type { LogRecord } from '../../audit/log-rows.ts'
import { Problem } from '../../contract/http/problems.ts'
import { sandboxSignIns, signInAddress } from '../../contract/lab/sandbox-sign-ins.ts'
import { narrow, narrowToTypes } from '../../contract/smart/scope-narrowing.ts'
import { formatScopes, parseScopes, type Scope } from '../../contract/smart/scopes.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { issue } from '../../domain/grants/issue-tokens.ts'
import type { SmartPractice } from '../../domain/practices/fhir-access.ts'
import { ensureStandingPeople } from '../../domain/practices/standing-people.ts'
import { checkPatient } from '../launches/people.ts'

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
export async function issuePersonToken(core: Core, tx: Prisma.TransactionClient, input: PersonToken) {
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
  requested: readonly Scope[],
  bounds: readonly (readonly Scope[])[],
  typesLetOut: readonly string[] | null,
): readonly Scope[] {
  const bounded = narrowToTypes(narrow(requested, ...bounds), typesLetOut)
  if (!bounded.some(({ kind }) => kind === 'resource'))
    throw wrongScope('Choose at least one scope that this practice allows.')
  return bounded
}

export const wrongScope = (message: string): Problem => new Problem('validation', { field: 'scope', message })

// Who a token of the portal can be for: the standing people of the organization's own sandbox.

export type AppPerson = Readonly<{
  audience: 'patient' | 'clinician'
  accountId: string
  name: string
  patientId: string | null
  /** Relative reference. */
  fhirUser: string
}>

/** @throws Problem `validation` of the fields `person` and `patient` */
export async function findAppPerson(
  core: Core,
  audience: AppPerson['audience'],
  practice: SmartPractice,
  { person, patient }: Readonly<{ person: string | null; patient: string | null }>,
): Promise<AppPerson> {
  const found = describePerson(audience, person, patient)
  if (found === null) throw nobody()
  if (found.patientId !== null) await checkPatient(core, practice, found.patientId)
  await ensureStandingPeople(core, practice)
  const account = await core.prisma.account.findFirst({
    where: {
      sandboxPracticeId: practice.id,
      realm: audience === 'patient' ? 'patient' : 'practice',
      email: signInAddress(found.localPart, practice.slug),
      disabledAt: null,
    },
    select: { id: true },
  })
  if (account === null) throw nobody()
  const { localPart: _, ...facts } = found
  return { ...facts, audience, accountId: account.id }
}

/** Null for anybody whom the table does not have in this part, or who may not act for the patient. */
function describePerson(audience: AppPerson['audience'], localPart: string | null, patient: string | null) {
  const signIn = sandboxSignIns.find((each) => each.localPart === localPart)
  if (signIn === undefined) return null
  const { name } = signIn
  if (signIn.realm === 'practice') {
    const { practitionerId, role } = signIn
    if (audience !== 'clinician' || role !== 'clinician' || !practitionerId) return null
    return {
      localPart: signIn.localPart,
      name,
      patientId: patient,
      fhirUser: `Practitioner/${practitionerId}`,
    }
  }
  const acts = signIn.actsFor.find(({ patientId }) => patientId === patient)
  if (audience !== 'patient' || acts === undefined) return null
  const { patientId, relationship, relatedPersonId } = acts
  const fhirUser =
    relationship === 'self' || !relatedPersonId ? `Patient/${patientId}` : `RelatedPerson/${relatedPersonId}`
  return { localPart: signIn.localPart, name, patientId, fhirUser }
}

function nobody(): Problem {
  return new Problem('validation', {
    field: 'person',
    message: 'Choose a person who can sign in to your own sandbox.',
  })
}

// What is written down about a token that the portal issued, beside its audit: the app's activity, the practice's record.

type Issue = Readonly<{
  client: Client
  practice: SmartPractice
  patientId: string | null
  actor: Actor
}>

export async function recordIssue({ recorder, clock }: Core, { client, practice, patientId, actor }: Issue) {
  const { ip, correlationId } = actor
  const at = clock()
  const record: LogRecord = {
    activity: {
      at,
      door: 'smart',
      environment: practice.environment,
      keyId: null,
      clientId: client.id,
      claimedPrefix: null,
      practiceId: practice.id,
      method: 'POST',
      route: '/organizations/{organization}/apps/{client}/token',
      status: 200,
      ip,
      correlationId,
      clientCorrelationId: null,
      durationMs: 0,
      refusal: null,
      fromBrowser: false,
    },
    access: {
      at,
      practiceId: practice.id,
      principalKind: 'smart_token',
      principalId: client.id,
      action: 'token',
      resourceType: null,
      patientId,
      count: 0,
      purpose: 'operations',
      outcome: 'served',
      correlationId,
    },
  }
  // The token is in the database already: without the row it is still in the audit of the portal.
  await recorder.commit(record).catch(() => recorder.note(record))
}
