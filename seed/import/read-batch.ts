/** What the first reading learns of a batch from its texts alone, in whatever thread. */
import type { FhirType } from '../../server/contract/fhir/registry.ts'
import { isProblem } from '../../server/contract/http/problems.ts'
import { checkStorable } from '../../server/store/drafts.ts'
import type { ReferenceKeys } from './ledger.ts'
import { hashOf, labelled, newId, type ParsedResource, parseSource } from './parse-source.ts'
import { findStoredReferences, ownKeys } from './references.ts'
import type { Source } from './source.ts'

export interface ReadBatch {
  readonly found: readonly Found[]
  /** Keys of resources whose type is not stored here. */
  readonly unstored: readonly string[]
  /** Keys of refused resources: a reference to one must not lead to whatever has that id here. */
  readonly refused: readonly string[]
  readonly refusals: readonly Refusal[]
}

export interface Found {
  readonly type: FhirType
  /** Its place in the batch. */
  readonly at: number
  readonly hash: string
  readonly keys: readonly string[]
  readonly references: readonly ReferenceKeys[]
  /** Its id at the source; of one without, an id made of its text. */
  readonly origin: string
}

interface Refusal {
  /** Place in the batch. */
  readonly at: number
  readonly reason: string
  readonly type: string | undefined
}

const idPattern = /^[A-Za-z0-9.-]{1,64}$/

export function readBatch(batch: readonly Source[]): ReadBatch {
  const found: Found[] = []
  const unstored: string[] = []
  const refused: string[] = []
  const refusals: Refusal[] = []
  for (const [at, source] of batch.entries()) {
    const parsed = parseSource(source)
    if ('reason' in parsed) {
      if ('resource' in parsed) unstored.push(...ownKeys(parsed.resource, parsed.fullUrl))
      const type = 'resource' in parsed ? parsed.resource.resourceType : undefined
      refusals.push({ at, reason: parsed.reason, type })
      continue
    }
    const { type, resource, fullUrl } = parsed
    const hash = hashOf(source)
    const { id } = resource
    const origin = typeof id === 'string' && idPattern.test(id) ? id : newId(type, id, hash)
    const reason = refusalOf(parsed, origin)
    if (reason) {
      refusals.push({ at, reason, type })
      refused.push(...ownKeys({ resourceType: type, id }, fullUrl))
    } else {
      const references = findStoredReferences(resource).map(({ keys }) => ({ keys }))
      found.push({ type, at, hash, origin, keys: ownKeys(resource, fullUrl), references })
    }
  }
  return { found, unstored, refused, refusals }
}

/** What the store would say of it. */
function refusalOf({ resource }: ParsedResource, id: string): string | null {
  try {
    checkStorable(labelled(resource, id))
    return null
  } catch (error) {
    if (isProblem(error) && error.kind === 'validation') return error.message
    throw error
  }
}
