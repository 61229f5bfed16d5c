/** The filters of a practice's audit, from the query of a URL. Invalid ones are ignored. */
import { z } from 'zod'
import type { Services } from '../../../server/services.ts'

/** Each row takes a third of a phone's screen. */
const pageRows = 25

const day = z.iso.date()
const short = z.string().trim().min(1).max(100)

export const auditFields = {
  who: short.regex(/^[\w:/.-]+$/),
  action: short.regex(/^[\w$-]+$/),
  type: short.regex(/^[A-Za-z]+$/),
  patient: short.regex(/^[A-Za-z0-9.-]{1,64}$/),
  outcome: z.enum(['served', 'refused', 'failed']),
  from: day,
  to: day,
  before: short.regex(/^[\d.]+$/),
} as const

export type AuditQuery = Partial<Record<keyof typeof auditFields, string>>

export function readAuditQuery(url: string): AuditQuery {
  const query = new URL(url).searchParams
  const read: AuditQuery = {}
  for (const name of Object.keys(auditFields) as (keyof typeof auditFields)[]) {
    const parsed = auditFields[name].safeParse(query.get(name) ?? '')
    if (parsed.success) read[name] = parsed.data
  }
  return read
}

/** Converts the filters for the domain. Days are in UTC, and `to` is included. */
export function toAccessFilter(query: AuditQuery, limit: number) {
  const { who, action, type, patient, outcome, from, to, before } = query
  return {
    limit,
    ...(who ? { principalId: who } : {}),
    ...(action ? { action } : {}),
    ...(type ? { resourceType: type } : {}),
    ...(patient ? { patientId: patient } : {}),
    ...(outcome ? { outcome: outcome as 'served' | 'refused' | 'failed' } : {}),
    ...(from ? { from: new Date(`${from}T00:00:00.000Z`) } : {}),
    ...(to ? { to: new Date(Date.parse(`${to}T00:00:00.000Z`) + 86_400_000) } : {}),
    ...(before ? { before } : {}),
  }
}

type PracticeAudit = Services['practiceAudit']

/** A page of the record: who read what or, with `view=changes`, what people changed. */
export async function readRecord(
  audit: PracticeAudit,
  practiceId: string,
  url: string,
  actor: Parameters<PracticeAudit['access']>[2],
) {
  const query = readAuditQuery(url)
  if (new URL(url).searchParams.get('view') === 'changes') {
    const { rows, next } = await audit.changes(practiceId, { before: query.before, limit: pageRows }, actor)
    return { query, view: 'changes' as const, changes: rows, access: [], next }
  }
  const { rows, next } = await audit.access(practiceId, toAccessFilter(query, pageRows), actor)
  return { query, view: 'access' as const, changes: [], access: rows, next }
}
