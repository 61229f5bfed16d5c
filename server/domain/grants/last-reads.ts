/** When each allowed app last read each record, from the practice's record of access. */
import * as accessLog from '../../audit/access-log.ts'
import type { Core } from '../core.ts'
import type { AllowedApp, AllowedRecord } from './grant-types.ts'

/**
 * @param apps those of one person: what others let the same app read is not counted
 * @returns when the app of a record last read it; null for never, and for what is no one patient's record
 */
export async function lastReads(
  core: Core,
  apps: readonly AllowedApp[],
): Promise<(record: AllowedRecord) => Date | null> {
  const found = new Map<AllowedRecord, Date | null>()
  for (const { client, practice, records } of apps)
    for (const record of records) {
      const { patientId, readers } = record
      if (patientId === null) continue
      const place = { practiceId: practice.id, patientId, clientId: client.clientId, principalIds: readers }
      found.set(record, await accessLog.lastRead(core, place))
    }
  return (record) => found.get(record) ?? null
}
