/** The person who may decide on a request, and the patients whose record they may choose. */
import { patientsOf } from '../../audit/call-rows.ts'
import { limits } from '../../contract/http/limits.ts'
import { planPatientList, planRead } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import type { AuthorizablePatient, Eligibility } from './authorization-types.ts'
import { summarizePatient } from './patient-summary.ts'
import { type PendingRow, realmOf } from './pending-requests.ts'

/** A person's role at the practice of the request. */
export type PersonAtPractice =
  | Readonly<{
      kind: 'patient'
      patients: readonly { patientId: string; relationship: string; relatedPersonId: string | null }[]
    }>
  | Readonly<{ kind: 'clinician'; practitionerId: string }>

/** @returns null for an account of another realm or practice, or without a role that may use apps */
export async function findPerson(
  { prisma }: Core,
  row: PendingRow,
  accountId: string,
): Promise<PersonAtPractice | null> {
  const account = { disabledAt: null, realm: realmOf(row) }
  const where = { practiceId: row.practiceId, accountId, account }
  if (realmOf(row) === 'patient') {
    const patients = await prisma.patientLogin.findMany({ where, orderBy: { createdAt: 'asc' } })
    return patients.length === 0 ? null : { kind: 'patient', patients }
  }
  const membership = await prisma.practiceMembership.findFirst({
    where: { ...where, role: 'clinician', practitionerId: { not: null } },
  })
  return membership?.practitionerId ? { kind: 'clinician', practitionerId: membership.practitionerId } : null
}

export function eligibilityOf(row: PendingRow, person: PersonAtPractice | null): Eligibility {
  if (!person) return { kind: 'not_of_practice' }
  const { launch } = row
  if (person.kind === 'clinician') {
    const isOther = launch?.practitionerId && launch.practitionerId !== person.practitionerId
    return { kind: isOther ? 'other_clinician' : 'eligible' }
  }
  const launched = launch?.patientId
  const isOwn = !launched || person.patients.some(({ patientId }) => patientId === launched)
  return { kind: isOwn ? 'eligible' : 'not_of_practice' }
}

export async function people(core: Core, row: PendingRow, actor: Actor) {
  const person = await findPerson(core, row, actor.accountId)
  if (person?.kind !== 'patient') return []
  const found = await Promise.all(
    person.patients.map(({ patientId, relationship }) => read(core, row, patientId, relationship)),
  )
  const listed = found.filter((patient) => patient !== null)
  await record(core, row, actor, listed)
  return listed
}

export async function findPatient(core: Core, row: PendingRow, actor: Actor, patientId: string) {
  const person = await findPerson(core, row, actor.accountId)
  const patient = person && (await readAllowed(core, row, person, patientId))
  if (!patient) return null
  await record(core, row, actor, [patient])
  return patient
}

export async function searchPatients(
  core: Core,
  row: PendingRow,
  actor: Actor,
  { q, limit }: { q: string; limit: number },
): Promise<readonly AuthorizablePatient[]> {
  const { store } = core
  const person = await findPerson(core, row, actor.accountId)
  const text = q.replaceAll('\0', '').trim().slice(0, limits.searchTextMax)
  if (person?.kind !== 'clinician' || text === '') return []
  const plan = planPatientList({ q: text, limit: Math.min(Math.max(limit, 1), 50), offset: 0 })
  const { matches } = await store.search(row.practice.datasetId, plan, noLiveness)
  const listed = matches.map(({ content }) => summarizePatient(content, null))
  await record(core, row, actor, listed)
  return listed
}

/** Reads a patient whom the person may choose: any patient of the practice for a clinician. */
export async function readAllowed(core: Core, row: PendingRow, person: PersonAtPractice, patientId: string) {
  if (row.launch?.patientId && row.launch.patientId !== patientId) return null
  if (person.kind === 'clinician') return read(core, row, patientId, null)
  const login = person.patients.find((patient) => patient.patientId === patientId)
  return login ? read(core, row, patientId, login.relationship) : null
}

async function read({ store }: Core, row: PendingRow, patientId: string, relationship: string | null) {
  if (patientId.length > limits.resourceIdMax || patientId.includes('\0')) return null
  const { resource } = await store.read(row.practice.datasetId, planRead('Patient', patientId), noLiveness)
  return resource && summarizePatient(resource.content, relationship)
}

/** Records the access before the names are shown, because the practice must know who saw them. */
function record(
  { recorder, clock }: Core,
  row: PendingRow,
  actor: Actor,
  shown: readonly AuthorizablePatient[],
): Promise<void> {
  return recorder.commit({
    access: {
      at: clock(),
      practiceId: row.practiceId,
      principalKind: 'session',
      principalId: actor.accountId,
      action: 'authorize',
      resourceType: 'Patient',
      ...patientsOf(shown.map(({ patientId }) => ({ id: patientId }))),
      count: shown.length,
      purpose: realmOf(row) === 'patient' ? 'patient_request' : 'treatment',
      outcome: 'served',
      correlationId: actor.correlationId,
    },
  })
}
