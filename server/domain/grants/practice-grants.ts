import * as accessLog from '../../audit/access-log.ts'
import type { Actor } from '../actor.ts'
import { summarizePatient } from '../authorizations/patient-summary.ts'
import type { Core } from '../core.ts'
import { readOwnPatient } from '../patients/read-own-patient.ts'
import type { AllowedApp, AllowedRecord } from './grants.ts'

// Whose record each allowed app reads, by name, for the person who allowed it.

type Place = Readonly<{ practiceId: string; patientId: string }>

async function findName(core: Core, place: Place, actor: Actor): Promise<string | null> {
  const { prisma, recorder, clock } = core
  const { practiceId, patientId } = place
  const [practice, standsFor, works] = await Promise.all([
    prisma.practice.findUnique({ where: { id: practiceId }, select: { datasetId: true } }),
    prisma.patientLogin.findFirst({ where: { ...place, accountId: actor.accountId } }),
    prisma.practiceMembership.findFirst({
      where: { practiceId, accountId: actor.accountId, role: 'clinician' },
    }),
  ])
  if (!practice || !(standsFor || works)) return null
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
      purpose: standsFor ? 'patient_request' : 'treatment',
      outcome: 'served',
      correlationId: actor.correlationId,
    },
  })
  return summarizePatient(resource.content, null).name
}

/**
 * @param apps the actor's own
 * @returns the name of each patient of these apps; null for those whose record the actor may no longer see
 */
export async function namePatients(core: Core, apps: readonly AllowedApp[], actor: Actor) {
  const names = new Map<string, string>()
  for (const { practice, records } of apps)
    for (const { patientId } of records) {
      if (patientId === null) continue
      const place = { practiceId: practice.id, patientId }
      if (names.has(keyOf(place))) continue
      const name = await findName(core, place, actor)
      if (name !== null) names.set(keyOf(place), name)
    }
  return (place: Place) => names.get(keyOf(place)) ?? null
}

/** A patient's id is unique within its practice only. */
const keyOf = ({ practiceId, patientId }: Place): string => `${practiceId} ${patientId}`

// When each allowed app last read each record, from the practice's record of access.

/**
 * @param apps the actor's own: reads by the same app for another person are not counted
 * @returns when the app of a record last read it; null for never, and for a record of no one patient
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
      const place = { practiceId: practice.id, patientId, clientId: client.clientId }
      const grants = await core.prisma.grant.findMany({
        where: { ...place, accountId },
        select: { id: true, fhirUser: true },
      })
      // As whom the record of access names the reader.
      const principalIds = grants.map(({ id, fhirUser }) => fhirUser ?? id)
      found.set(record, await accessLog.lastRead(core, { ...place, principalIds }))
    }
  return (record) => found.get(record) ?? null
}
