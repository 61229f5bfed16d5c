/** The filters of a log of calls, from the query of a URL. */
import type { z } from 'zod'
import { activityFilter } from '../../../server/contract/forms/keys.ts'

export type ActivityQuery = z.output<typeof activityFilter>

/** Ignores a filter that it cannot read. */
export function readActivityQuery(url: string): ActivityQuery {
  const query = new URL(url).searchParams
  return activityFilter.parse(Object.fromEntries([...query].filter(([, value]) => value !== '')))
}
