/**
 * The chain hash of an audit row: an HMAC of the row and the previous hash with a key of the keyring, whose id is part of
 * the hash. Changing a row and recomputing the later hashes needs that key.
 */
import { createHash } from 'node:crypto'
import type { AuditEvent } from '../../prisma/generated/client/client.ts'
import type { Keyring } from '../keyring.ts'

type ChainedFields = Omit<AuditEvent, 'chainHash' | 'chainNumber'>

type Link = Readonly<{ row: ChainedFields; number: bigint; before: Uint8Array }>

/** The hash before the first row. */
export const chainStart: Uint8Array<ArrayBuffer> = new Uint8Array(32)

const context = 'audit-chain'

/** Rows of earlier releases have a plain SHA-256. A keyed hash is longer, because the key's id is part of it. */
export const isKeyed = (hash: Uint8Array): boolean => hash.length !== 32

export const chainHash = (link: Link, keyring: Keyring): Uint8Array<ArrayBuffer> =>
  keyring.mac(textOf(link), context)

/** Checks a stored hash, keyed or not. False if its key is not in the keyring. */
export function matchesChainHash(link: Link, stored: Uint8Array, keyring: Keyring): boolean {
  if (isKeyed(stored)) return keyring.matchesMac(textOf(link), stored, context)
  const plain = createHash('sha256').update(link.before).update(fieldsOf(link)).digest()
  return plain.equals(stored)
}

const textOf = (link: Link): string => `${Buffer.from(link.before).toString('hex')} ${fieldsOf(link)}`

function fieldsOf({ row, number }: Link): string {
  const { id, at, actorKind, actorId, organizationId, practiceId, action, subjectKind, subjectId } = row
  return JSON.stringify([
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
  ])
}

/** Sorts keys, because the database does not preserve their order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, canonical(each)]))
}
