import * as accessLog from '../../audit/access-log.ts'
import type { Actor } from '../actor.ts'
import { summarizePatient } from '../authorizations/patient-summary.ts'
import type { Core } from '../core.ts'
import { readOwnPatient } from '../patients/read-own-patient.ts'
import type { AllowedApp, AllowedRecord } from './grants.ts'

// The names of the patients whose records an allowed app reads, for the person who allowed it.

type PatientAtPractice = Readonly<{ practiceId: string; patientId: string }>

async function findName(core: Core, patient: PatientAtPractice, actor: Actor): Promise<string | null> {
  const { prisma, recorder, clock } = core
  const { practiceId, patientId } = patient
  const [practice, actsFor, isClinician] = await Promise.all([
    prisma.practice.findUnique({ where: { id: practiceId }, select: { datasetId: true } }),
    prisma.patientLogin.findFirst({ where: { ...patient, accountId: actor.accountId } }),
    prisma.practiceMembership.findFirst({
      where: { practiceId, accountId: actor.accountId, role: 'clinician' },
    }),
  ])
  if (!practice || !(actsFor || isClinician)) return null
  const resource = await readOwnPatient(core, practice.datasetId, patientId)
  if (resource === null) return null
  await recorder.commit({
    access: {
      at: clock(),
      practiceId,
      principalKind: 'session',
      principalId: actor.accountId,
      action: 'list_allowed_apps',
      resourceType: 'Patient',
      patientId,
      count: 1,
      purpose: actsFor ? 'patient_request' : 'treatment',
      outcome: 'served',
      correlationId: actor.correlationId,
    },
  })
  return summarizePatient(resource.content, null).name
}

/**
 * @param apps apps that the actor has allowed
 * @returns a function that gives a patient's name; null if the actor may no longer see the record
 */
export async function namePatients(core: Core, apps: readonly AllowedApp[], actor: Actor) {
  const names = new Map<string, string>()
  for (const { practice, records } of apps)
    for (const { patientId } of records) {
      if (patientId === null) continue
      const patient = { practiceId: practice.id, patientId }
      if (names.has(keyOf(patient))) continue
      const name = await findName(core, patient, actor)
      if (name !== null) names.set(keyOf(patient), name)
    }
  return (patient: PatientAtPractice) => names.get(keyOf(patient)) ?? null
}

/** A patient's id is unique within its practice only. */
const keyOf = ({ practiceId, patientId }: PatientAtPractice): string => `${practiceId} ${patientId}`

// The last read of each record by an allowed app, from the practice's access log.

/**
 * @param apps apps that the actor has allowed; reads by the same app for another person do not count
 * @returns a function that gives a record's last read; null if there is none, or the record is of no particular patient
 */
export async function lastReads(
  core: Core,
  apps: readonly AllowedApp[],
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<(record: AllowedRecord) => Date | null> {
  const found = new Map<AllowedRecord, Date | null>()
  for (const { client, practice, records } of apps)
    for (const record of records) {
      const { patientId } = record
      if (patientId === null) continue
      const patient = { practiceId: practice.id, patientId, clientId: client.clientId }
      const grants = await core.prisma.grant.findMany({
        where: { ...patient, accountId },
        select: { id: true, fhirUser: true },
      })
      // The access log names the reader by the FHIR user, or else by the grant.
      const principalIds = grants.map(({ id, fhirUser }) => fhirUser ?? id)
      found.set(record, await accessLog.lastRead(core, { ...patient, principalIds }))
    }
  return (record) => found.get(record) ?? null
}
