/** Whose record each allowed app reads, by name, for the person who allowed it. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { Recorder } from '../../audit/recorder.ts'
import { planRead } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'
import type { Store } from '../../store/store.ts'
import type { Actor } from '../actor.ts'
import { summarizePatient } from '../authorizations/patient-summary.ts'
import type { AllowedApp } from './grant-types.ts'

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  store: Pick<Store, 'read'>
  recorder: Pick<Recorder, 'commit'>
}

type Place = Readonly<{ practiceId: string; patientId: string }>

export function createPatientNames({ prisma, clock, store, recorder }: Dependencies) {
  /**
   * @param apps the actor's own
   * @returns the name of each patient of these apps; null for those whose record the actor may no longer see
   */
  return async function namePatients(
    apps: readonly AllowedApp[],
    actor: Actor,
  ): Promise<(place: Place) => string | null> {
    const names = new Map<string, string>()
    for (const { practice, records } of apps)
      for (const { patientId } of records) {
        if (patientId === null) continue
        const place = { practiceId: practice.id, patientId }
        if (names.has(keyOf(place))) continue
        const name = await findName(place, actor)
        if (name !== null) names.set(keyOf(place), name)
      }
    return (place) => names.get(keyOf(place)) ?? null
  }

  async function findName(place: Place, actor: Actor): Promise<string | null> {
    const { practiceId, patientId } = place
    const [practice, standsFor, works] = await Promise.all([
      prisma.practice.findUnique({ where: { id: practiceId }, select: { datasetId: true } }),
      prisma.patientLogin.findFirst({ where: { ...place, accountId: actor.accountId } }),
      prisma.practiceMembership.findFirst({
        where: { practiceId, accountId: actor.accountId, role: 'clinician' },
      }),
    ])
    if (!practice || !(standsFor || works)) return null
    const { resource } = await store.read(practice.datasetId, planRead('Patient', patientId), noLiveness)
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
}

/** A patient's id is unique within its practice only. */
function keyOf({ practiceId, patientId }: Place): string {
  return `${practiceId} ${patientId}`
}
