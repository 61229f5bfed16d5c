/** The filters of the portal's audit, from the query of a URL. Invalid ones are ignored. */
import { z } from 'zod'
import { instantIn } from '../../lib/zone.ts'

const day = z.iso.date()
const short = z.string().trim().min(1).max(320)

export const opsAuditFields = {
  who: short.regex(/^[\w@:/.+-]+$/),
  action: short.regex(/^[a-z_.]+$/),
  subject: short.regex(/^[\w:/.-]+$/),
  from: day,
  to: day,
  before: short.regex(/^\d{1,18}$/),
} as const

type OpsAuditQuery = Partial<Record<keyof typeof opsAuditFields, string>>

export function readOpsAuditQuery(url: string): OpsAuditQuery {
  const query = new URL(url).searchParams
  const read: OpsAuditQuery = {}
  for (const name of Object.keys(opsAuditFields) as (keyof typeof opsAuditFields)[]) {
    const parsed = opsAuditFields[name].safeParse(query.get(name) ?? '')
    if (parsed.success) read[name] = parsed.data
  }
  return read
}

/** Converts the filters for the domain. Days are in the reader's zone, and `to` is included. */
export function toAuditSearch({ from, to, ...rest }: OpsAuditQuery, zone: string) {
  const midnight = (day: string, days = 0) =>
    instantIn(zone, new Date(Date.parse(`${day}T00:00:00.000Z`) + days * 86_400_000))
  return {
    ...rest,
    ...(from ? { from: midnight(from) } : {}),
    ...(to ? { to: midnight(to, 1) } : {}),
  }
}
