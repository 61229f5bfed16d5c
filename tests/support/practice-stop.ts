/** Stops of access for tests: one as the domain writes it, and the steps that store a reason. */
import { randomUUID } from 'node:crypto'
import type { Actor } from '../../server/domain/actor.ts'
import type { TestServices } from './services.ts'

/** @returns ends the stop */
export async function stopAccess(
  { prisma, clock }: Pick<TestServices, 'prisma' | 'clock'>,
  target: Readonly<{ practiceId: string; keyId?: string; clientId?: string }>,
): Promise<() => Promise<unknown>> {
  const by = target.practiceId
  const { id } = await prisma.practiceStop.create({
    data: { ...target, reason: 'A test of stops', startedAt: clock(), startedById: by },
  })
  return () => prisma.practiceStop.update({ where: { id }, data: { endedAt: clock(), endedById: by } })
}

type Act = (reason: string, as: { developer: () => Actor }) => Promise<unknown>

/** By field: each step by which a practice stops access, and resumes it. */
export function stopActs(services: () => TestServices): Record<string, Act> {
  const request = () => ({ requestId: randomUUID(), version: 1, idempotencyKey: randomUUID() })
  const practiceId = randomUUID()
  return {
    'stopForms.stop.reason': (reason, { developer }) =>
      services().practiceStops.stop(
        { practiceId, target: { scope: 'app', id: 'an-app' }, reason },
        developer(),
      ),
    'stopForms.stopEverything.reason': (reason, { developer }) =>
      services().practiceStops.stop(
        { practiceId, target: { scope: 'everything', confirmName: 'A practice' }, reason },
        developer(),
      ),
    'keyAccessForms.narrow.reason': (reason, { developer }) =>
      services().keyAccess.narrow(
        { practiceId, keyId: randomUUID(), version: 0, dataClasses: [], purposes: [], reason },
        developer(),
      ),
    'keyAccessForms.cap.reason': (reason, { developer }) =>
      services().keyCaps.set(
        {
          ...{ practiceId, keyId: randomUUID(), version: 0, reason, timeZone: 'UTC' },
          ...{ callsPerDay: 1, patientsPerDay: null, hoursFrom: null, hoursUntil: null },
        },
        developer(),
      ),
    'withheldForms.withhold.reason': (reason, { developer }) =>
      services().withheldPatients.withhold({ practiceId, patientId: 'pt-somebody', reason }, developer()),
    'withheldForms.decline.reason': (reason, { developer }) =>
      services().withheldPatients.decline({ practiceId, requestId: randomUUID(), reason }, developer()),
    'sponsorForms.reinstate.reason': (reason, { developer }) =>
      services().productionKeys.reinstate({ ...request(), reason }, developer()),
    'sponsorForms.suspend.reason': (reason, { developer }) =>
      services().productionKeys.suspend({ ...request(), reason }, developer()),
  }
}
