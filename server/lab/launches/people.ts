/** Who can be signed in by the simulator: synthetic people of the organization's sandbox, given a login on demand. */
import { patientsOf } from '../../audit/call-rows.ts'
import { nobodysPassword } from '../../auth/password.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { planPatientList, planProviders, planRead } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'

type LabPractice = Readonly<{ id: string; slug: string; datasetId: number }>
type LabPerson = Readonly<{ id: string; name: string }>
const listedMax = 50

/** Their names are a part of their charts, so the record of access comes first. */
export async function patients(
  { store, recorder, clock }: Core,
  { id: practiceId, datasetId }: LabPractice,
  { accountId, correlationId }: Actor,
): Promise<LabPerson[]> {
  const plan = planPatientList({ q: undefined, limit: listedMax, offset: 0 })
  const { matches } = await store.search(datasetId, plan, noLiveness)
  await recorder.commit({
    access: {
      at: clock(),
      practiceId,
      principalKind: 'session',
      principalId: accountId,
      action: 'search',
      resourceType: 'Patient',
      ...patientsOf(matches),
      count: matches.length,
      purpose: 'operations',
      outcome: 'served',
      correlationId,
    },
  })
  return matches.map(toPerson)
}

export async function clinicians({ store }: Core, { datasetId }: Pick<LabPractice, 'datasetId'>) {
  const plan = planProviders({ limit: listedMax, offset: 0 })
  const { matches } = await store.search(datasetId, plan, noLiveness)
  return matches.map(toPerson)
}

/** @throws Problem `validation` for a visit of no one, or of another person */
export async function checkEncounter(
  core: Core,
  practice: LabPractice,
  id: string,
  patientId: string | null,
): Promise<void> {
  const text = await read(core, practice, 'Encounter', id)
  const subject =
    text === null ? null : (JSON.parse(text.toString()) as { subject?: { reference?: string } }).subject
  if (subject?.reference !== `Patient/${patientId}`)
    throw new Problem('validation', {
      field: 'encounter',
      message: 'This patient has no such visit.',
    })
}

/** @throws Problem `validation` for a person who is not there */
export async function checkPatient(core: Core, practice: LabPractice, patientId: string): Promise<void> {
  if ((await read(core, practice, 'Patient', patientId)) === null) throw nobody('patient')
}

/** @returns the account that signs in. @throws Problem `validation` for a person who is not there */
export async function loginOfPatient(core: Core, practice: LabPractice, patientId: string): Promise<string> {
  const { prisma, clock } = core
  const text = await read(core, practice, 'Patient', patientId)
  if (text === null) throw nobody('patient')
  const where = { practiceId: practice.id, patientId, relationship: 'self', account: { disabledAt: null } }
  const known = await prisma.patientLogin.findFirst({ where, orderBy: { accountId: 'asc' } })
  if (known) return known.accountId
  const accountId = await makeAccount(
    core,
    'patient',
    practice,
    patientId,
    toPerson({ id: patientId, content: text }).name,
  )
  await prisma.patientLogin.createMany({
    data: { practiceId: practice.id, accountId, patientId, relationship: 'self', createdAt: clock() },
    skipDuplicates: true,
  })
  return accountId
}

/** As above, for clinicians. */
export async function loginOfClinician(core: Core, practice: LabPractice, practitionerId: string) {
  const { prisma, clock } = core
  const text = await read(core, practice, 'Practitioner', practitionerId)
  if (text === null) throw nobody('clinician')
  const where = {
    practiceId: practice.id,
    practitionerId,
    role: 'clinician' as const,
    account: { disabledAt: null },
  }
  const known = await prisma.practiceMembership.findFirst({ where, orderBy: { accountId: 'asc' } })
  if (known) return known.accountId
  const { name } = toPerson({ id: practitionerId, content: text })
  const accountId = await makeAccount(core, 'practice', practice, practitionerId, name)
  await prisma.practiceMembership.createMany({
    data: { practiceId: practice.id, accountId, role: 'clinician', practitionerId, createdAt: clock() },
    skipDuplicates: true,
  })
  return accountId
}

/** Has no password: only the simulator signs it in. Two at once are one. */
async function makeAccount(
  { clock, prisma }: Core,
  realm: 'patient' | 'practice',
  { slug }: LabPractice,
  personId: string,
  name: string,
): Promise<string> {
  const email = `${personId.toLowerCase()}@${slug}.simulator.example`
  const where = { realm_email: { realm, email } }
  const now = clock()
  const { id } = await prisma.account.upsert({
    where,
    create: { realm, email, name, passwordHash: nobodysPassword, emailVerifiedAt: now, createdAt: now },
    update: {},
    select: { id: true },
  })
  return id
}

async function read(
  { store }: Core,
  { datasetId }: LabPractice,
  type: 'Patient' | 'Practitioner' | 'Encounter',
  id: string,
): Promise<Buffer | null> {
  if (id.length > limits.resourceIdMax || id.includes('\0')) return null
  const { resource } = await store.read(datasetId, planRead(type, id), noLiveness)
  return resource?.content ?? null
}

function toPerson({ id, content }: { id: string; content: Buffer }): LabPerson {
  const { name } = JSON.parse(content.toString()) as {
    name?: { family?: string; given?: string[]; text?: string }[]
  }
  const [first] = name ?? []
  const words = [...(first?.given ?? []), first?.family].filter(Boolean).join(' ')
  return { id, name: words || first?.text || id }
}

const nobody = (field: string): Problem =>
  new Problem('validation', { field, message: 'The sandbox has no such person.' })
