/** When each allowed app last read each record, from the practice's record of access. */
import * as accessLog from '../../audit/access-log.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import type { AllowedApp, AllowedRecord } from './grant-types.ts'

/**
 * @param apps the actor's own: reads by the same app for somebody else are not counted
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
