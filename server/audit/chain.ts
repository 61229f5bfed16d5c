/** The hash of an audit row and the one before it: whoever changes, removes or moves a sealed row breaks the chain. */
import { createHash } from 'node:crypto'
import type { AuditEvent } from '../../prisma/generated/client/client.ts'

export type ChainedFields = Omit<AuditEvent, 'chainHash' | 'chainNumber'>

/** What the first row is chained to. */
export const chainStart: Uint8Array = new Uint8Array(32)

export function hashOf(row: ChainedFields, number: bigint, before: Uint8Array): Uint8Array<ArrayBuffer> {
  const { id, at, actorKind, actorId, organizationId, practiceId, action, subjectKind, subjectId } = row
  const fields = [
    number.toString(),
    id.toString(),
    at.toISOString(),
    actorKind,
    actorId,
    organizationId,
    practiceId,
    action,
    subjectKind,
    subjectId,
    row.ip,
    row.correlationId,
    canonical(row.detail),
  ]
  return new Uint8Array(createHash('sha256').update(before).update(JSON.stringify(fields)).digest())
}

/** The database keeps objects in an order of its own. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, canonical(each)]))
}
