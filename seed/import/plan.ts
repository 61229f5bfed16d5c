/** What is to be done with a resource, by what the practice has of it already. */
import type { FhirType } from '../../server/contract/fhir/registry.ts'
import type { Resource } from '../../server/store/index-rows.ts'
import type { KnownOrigin } from '../../server/store/origins.ts'
import type { Task } from './ledger.ts'
import { isStoredAs, newId } from './parse-source.ts'

interface Plan {
  /** As it is, or will be, stored. */
  readonly id: string
  /** Null: it is not here and will not be. */
  readonly task: Task | null
  readonly refusal: string | null
  /** The id it gets when its references turn out to lead elsewhere than those of the stored resource it equals. */
  readonly spareId?: string
}

interface Arrival {
  readonly type: FhirType
  readonly resource: () => Resource
  /** Its id at the source. */
  readonly origin: string
  readonly hash: string
}

/**
 * @param known of an earlier import of the same source
 * @param stored the text that has the source's id here; empty when deleted, null when the id is free
 */
export function planOf(
  { type, resource, origin, hash }: Arrival,
  known: KnownOrigin | undefined,
  stored: string | null,
): Plan {
  if (known) {
    const { id } = known
    if (known.stored === null || known.stored.deleted) return { id, task: null, refusal: 'was deleted here' }
    if (known.hash === hash) return { id, task: 'nothing', refusal: null }
    if (known.stored.version !== known.version) {
      return { id, task: 'nothing', refusal: 'was changed here since it was imported' }
    }
    return { id, task: 'update', refusal: null }
  }
  if (stored === null) return { id: origin, task: 'load', refusal: null }
  const spareId = newId(type, origin, hash)
  if (stored !== '' && isStoredAs(resource(), origin, stored)) {
    return { id: origin, task: 'nothing', refusal: null, spareId }
  }
  return { id: spareId, task: 'load', refusal: null }
}
