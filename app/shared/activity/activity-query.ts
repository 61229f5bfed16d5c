/** The filters of a key's activity, from the query of a URL. */
import type { z } from 'zod'
import { activityFilter } from '../../../server/contract/forms/keys.ts'

type ActivityQuery = z.output<typeof activityFilter>

/** What cannot be read is no filter. */
export function readActivityQuery(url: string): ActivityQuery {
  const query = new URL(url).searchParams
  return activityFilter.parse(Object.fromEntries([...query].filter(([, value]) => value !== '')))
}

/** Whether a request that has just come belongs on the filtered page. */
export function fits(
  call: { status: number; route: string; correlationId: string; clientCorrelationId: string | null },
  { status, route, correlationId }: ActivityQuery,
): boolean {
  if (typeof status === 'number' && call.status !== status) return false
  if (typeof status === 'string' && Math.floor(call.status / 100) !== Number(status[0])) return false
  if (route !== undefined && call.route !== route) return false
  return correlationId === undefined || [call.correlationId, call.clientCorrelationId].includes(correlationId)
}
