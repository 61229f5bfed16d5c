/** Authorize requests for the person who decides: read, choose a patient, approve or deny. */

import type { Grant, Prisma } from '../../../prisma/generated/client/client.ts'
import { hashToken, randomToken } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { EarlierChoice } from '../../contract/smart/consent-groups.ts'
import { splitBoxes } from '../../contract/smart/consent-groups.ts'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'
import { narrow } from '../../contract/smart/scope-narrowing.ts'
import { formatScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import { isUnregisteredApp } from '../../contract/smart/unregistered-apps.ts'
import type { Actor } from '../actor.ts'
import { checkClientAtPractice, checkNotStopped } from '../clients/client-at-practice.ts'
import type { Core } from '../core.ts'
import { grants } from '../grants/issue-tokens.ts'
import { checkFhirAccess } from '../practices/fhir-access.ts'
import type {
  AuthorizablePatient,
  AuthorizationHandle,
  Decision,
  Eligibility,
} from './authorization-types.ts'
import type { PersonAtPractice } from './choose-patient.ts'
import * as choice from './choose-patient.ts'
import * as pending from './pending-requests.ts'
import { type PendingAuthorization, type PendingRow, toPending } from './pending-requests.ts'
import { redirectWith } from './redirect.ts'
/**
 * Creates the grant and its code. A request can be decided only once.
 * @returns the redirect to the app
 * @throws Problem `not_found`, `forbidden` (not eligible), `validation` (no patient or no scope selected)
 */
export async function approve(core: Core, handle: AuthorizationHandle, actor: Actor, decision: Decision) {
  const { prisma, randomBytes } = core
  const row = await pending.find(core, handle)
  const person = await choice.findPerson(core, row, actor.accountId)
  if (!person || choice.eligibilityOf(row, person).kind !== 'eligible')
    throw new Problem('forbidden', { message: 'This account can’t decide on this request.' })
  // The practice's policy and the client may have changed while the page was open.
  checkFhirAccess(row.practice, row.client.audience)
  await checkClientAtPractice(prisma, row.client, row.practice)
  await checkNotStopped(prisma, row.client, row.practice)
  if (row.client.suspendedAt || row.client.removedAt) throw new Problem('not_found')
  const patientId = await choosePatient(core, row, person, decision)
  const scopes = decidedScopes(row, decision, patientId)
  const code = randomToken('code', randomBytes)
  await prisma.$transaction(async (tx) => {
    await pending.close(core, tx, row)
    const grant = await createGrant(core, tx, { row, actor, person, patientId, scopes })
    await createCode(core, tx, row, grant, code)
  })
  return { redirectTo: redirectWith(row.redirectUri, { code, state: row.state, iss: issuerOf(core, row) }) }
}

/** Denies the request, also for a visitor or an ineligible account. @throws Problem `not_found` */
export async function deny(core: Core, handle: AuthorizationHandle, actor: Actor | null) {
  const { prisma, portalAudit } = core
  const row = await pending.find(core, handle)
  // Nothing is stored for a visitor, because otherwise anyone could fill the disk with requests.
  if (actor)
    await prisma.$transaction(async (tx) => {
      await pending.close(core, tx, row)
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        practiceId: row.practiceId,
        action: 'grant.denied',
        subject: { kind: 'client', id: row.clientId },
        detail: { clientId: row.clientId, scope: row.scope },
      })
    })
  const redirectTo = redirectWith(row.redirectUri, {
    error: 'access_denied',
    error_description: 'The person did not agree.',
    state: row.state,
    iss: issuerOf(core, row),
  })
  return { redirectTo }
}

/** @returns null if the grant is not for a single patient */
async function choosePatient(core: Core, row: PendingRow, person: PersonAtPractice, decision: Decision) {
  const { needsPatientChoice } = toPending(row)
  const patientId = row.launch?.patientId ?? (needsPatientChoice ? decision.patientId : null)
  if (patientId === null && !needsPatientChoice) return null
  const patient = patientId === null ? null : await choice.readAllowed(core, row, person, patientId)
  if (!patient)
    throw new Problem('validation', {
      field: 'patientId',
      message: 'Choose whose record the app may read.',
    })
  return patient.patientId
}

function decidedScopes(row: PendingRow, decision: Decision, patientId: string | null): readonly Scope[] {
  const offered = readScopes(row.scope)
  const decided = narrow(offered, decision.scopes)
  const records = decided.filter(
    (scope) => scope.kind === 'resource' && (scope.context !== 'patient' || patientId !== null),
  )
  if (records.length === 0 && !grants(decided, 'openid'))
    throw new Problem('validation', {
      field: 'scopes',
      message: 'Select at least one item, or choose “Don’t allow”.',
    })
  const others = offered.filter((scope) => {
    if (scope.kind === 'resource') return false
    // The page has no checkbox for the launch scopes.
    if (scope.name === 'launch' || scope.name === 'launch/patient') return true
    if (scope.name === 'launch/encounter') return Boolean(row.launch?.encounterId)
    if (scope.name === 'offline_access' || scope.name === 'online_access') return decision.offlineAccess
    return grants(decided, scope.name)
  })
  return [...others, ...records]
}

async function createGrant(
  { clock, portalAudit }: Core,
  tx: Prisma.TransactionClient,
  input: {
    row: PendingRow
    actor: Actor
    person: PersonAtPractice
    patientId: string | null
    scopes: readonly Scope[]
  },
): Promise<Grant> {
  const { row, actor, person, patientId, scopes } = input
  const scope = formatScopes(scopes)
  const { chosen, refused } = splitBoxes(readScopes(row.scope), scopes)
  const grant = await tx.grant.create({
    data: {
      clientId: row.clientId,
      practiceId: row.practiceId,
      audience: row.client.audience,
      accountId: actor.accountId,
      sessionId: grants(scopes, 'online_access') ? actor.sessionId : null,
      scope,
      patientId,
      encounterId: row.launch?.encounterId ?? null,
      fhirUser: fhirUserOf(person, patientId),
      intent: row.launch?.intent ?? null,
      needPatientBanner: row.launch ? row.launch.needPatientBanner : null,
      createdAt: clock(),
      authenticatedAt: actor.authenticatedAt,
      chosenBoxes: [...chosen],
      refusedBoxes: [...refused],
    },
  })
  await portalAudit.append(tx, {
    ...portalAudit.by(actor),
    practiceId: row.practiceId,
    action: 'grant.created',
    subject: { kind: 'grant', id: grant.id },
    detail: { clientId: row.clientId, scope, patientId },
  })
  return grant
}

async function createCode(
  { clock }: Core,
  tx: Prisma.TransactionClient,
  row: PendingRow,
  grant: Grant,
  code: string,
): Promise<void> {
  const now = clock()
  await tx.authorizationCode.create({
    data: {
      codeHash: hashToken(code),
      grantId: grant.id,
      redirectUri: row.redirectUri,
      codeChallenge: row.codeChallenge,
      nonce: row.nonce,
      createdAt: now,
      expiresAt: new Date(now.getTime() + smartLifetimes.codeMinutes * 60_000),
    },
    select: { codeHash: true },
  })
}

const issuerOf = ({ addresses }: Core, row: PendingRow) => addresses.fhirBase(row.practice.slug)

/** @throws Problem `not_found` if the request is unknown, expired, decided already, or another browser's */
export const get = async (core: Core, handle: AuthorizationHandle): Promise<PendingAuthorization> =>
  toPending(await pending.find(core, handle))

export async function eligibility(
  core: Core,
  handle: AuthorizationHandle,
  actor: Actor,
): Promise<Eligibility> {
  const row = await pending.find(core, handle)
  return choice.eligibilityOf(row, await choice.findPerson(core, row, actor.accountId))
}

/** For patients: themselves and the people they act for. Empty for clinicians. */
export const people = async (core: Core, handle: AuthorizationHandle, actor: Actor) =>
  choice.people(core, await pending.find(core, handle), actor)

/** A patient, for a banner. Null unless the actor may choose this patient. */
export const findPatient = async (core: Core, handle: AuthorizationHandle, actor: Actor, patientId: string) =>
  choice.findPatient(core, await pending.find(core, handle), actor, patientId)

/**
 * The actor's last choice for this app and record, even if it was revoked; a clinician's last choice for any record.
 * Null if there is none, or for the app of a launch without an account.
 */
export async function lastChoice(
  core: Core,
  handle: AuthorizationHandle,
  actor: Actor,
  patientId: string | null,
): Promise<EarlierChoice | null> {
  const row = await pending.find(core, handle)
  const { clientId, practiceId, client } = row
  // Many strangers share the demonstration patient of a launch without an account.
  if (isUnregisteredApp(clientId)) return null
  // A clinician's choice is about an app, a patient's about a record.
  const record = client.audience === 'clinician' ? {} : { patientId }
  const last = await core.prisma.grant.findFirst({
    where: { accountId: actor.accountId, clientId, practiceId, ...record },
    select: { chosenBoxes: true, refusedBoxes: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  if (!last || last.chosenBoxes.length + last.refusedBoxes.length === 0) return null
  return { chosen: last.chosenBoxes, refused: last.refusedBoxes }
}

/** For clinicians: patients by name or medical record number. Empty for others. Recorded as access. */
export async function searchPatients(
  core: Core,
  handle: AuthorizationHandle,
  actor: Actor,
  search: { q: string; limit: number },
): Promise<readonly AuthorizablePatient[]> {
  return choice.searchPatients(core, await pending.find(core, handle), actor, search)
}

/** A relative reference. A person who acts for a patient is the chart's RelatedPerson if there is one, else themselves. */
function fhirUserOf(person: PersonAtPractice, patientId: string | null): string | null {
  if (person.kind === 'clinician') return `Practitioner/${person.practitionerId}`
  const self = person.patients.find(({ relationship }) => relationship === 'self')
  const chosen = person.patients.find((patient) => patient.patientId === patientId) ?? self
  if (chosen?.relationship === 'self') return `Patient/${chosen.patientId}`
  if (chosen?.relatedPersonId) return `RelatedPerson/${chosen.relatedPersonId}`
  return self ? `Patient/${self.patientId}` : null
}
