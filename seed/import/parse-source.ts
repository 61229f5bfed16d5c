/** From texts that may hold resources to what the first reading learns of each, or to the reason why not. */
import { createHash } from 'node:crypto'
import { testDataLabel } from '../../server/contract/fhir/codes.ts'
import { type FhirType, isFhirType } from '../../server/contract/fhir/registry.ts'
import { isProblem } from '../../server/contract/http/problems.ts'
import { hasInvisible, tidyName } from '../../server/contract/text/public-name.ts'
import { checkStorable } from '../../server/store/drafts.ts'
import type { Resource } from '../../server/store/index-rows.ts'
import { parseExact, stringifyExact } from '../../server/store/resource-text.ts'
import type { ReferenceKeys } from './ledger.ts'
import { findStoredReferences, ownKeys } from './references.ts'
import type { Source } from './report.ts'

interface ParsedResource {
  readonly type: FhirType
  readonly resource: Resource
  readonly fullUrl: unknown
}

/** Of a type that is not stored here. */
interface Unstored {
  readonly reason: string
  readonly resource: Resource
  readonly fullUrl: unknown
}

type Parsed = ParsedResource | Unstored | { readonly reason: string }

/** Numbers keep their digits, see `exact-json`. */
export function parseSource({ text, isEntry }: Source): Parsed {
  if (text === null) return { reason: 'over 1 MB' }
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    return { reason: 'not JSON' }
  }
  const entry = isEntry ? (value as { resource?: unknown; fullUrl?: unknown } | null) : { resource: value }
  const resource = entry?.resource as Resource | null | undefined
  if (typeof resource !== 'object' || resource === null || typeof resource.resourceType !== 'string') {
    return { reason: 'no resourceType' }
  }
  const type = resource.resourceType
  const { fullUrl } = entry as { fullUrl?: unknown }
  if (isFhirType(type)) {
    const fault = nameFaultOf(resource)
    return fault === null ? { type, resource, fullUrl } : { reason: `name: ${fault}` }
  }
  return { reason: `unknown type ${/^\w{1,64}$/.exec(type)?.[0] ?? ''}`.trim(), resource, fullUrl }
}

const people: ReadonlySet<string> = new Set(['Patient', 'Practitioner', 'RelatedPerson'])

/**
 * A record of another system keeps its names, but for those that no one can read; only people have a list of names.
 */
function nameFaultOf({ resourceType, name }: Resource): string | null {
  if (!people.has(resourceType) || !Array.isArray(name)) return null
  for (const each of name as (Partial<Record<string, unknown>> | null)[]) {
    const words = tidyName([each?.family, each?.given, each?.text].flat().filter(Boolean).join(' '))
    if (hasInvisible(words)) return 'control or invisible characters'
    if (words !== '' && !/[\p{L}\p{Nd}]/u.test(words)) return 'neither letters nor digits'
  }
  return null
}

/** Of the text, not of what was understood of it; 128 bits of it tell one text from another. */
function hashOf({ text }: Source): string {
  return createHash('sha256')
    .update((text ?? '').trim())
    .digest('base64url')
    .slice(0, 22)
}

/** The same for the same resource in every run. */
export function newId(type: FhirType, id: unknown, hash: string): string {
  const digest = createHash('sha256')
    .update(`${type}/${String(id)}/${hash}`)
    .digest('hex')
  return `im-${digest.slice(0, 32)}`
}

/**
 * True when the stored text is this resource, whenever and however often it was written, and wherever its references
 * lead: only when every resource of the load has its id is it known whether they lead to the same.
 */
export function isStoredAs(resource: Resource, id: string, content: string): boolean {
  const plain = ({ resourceType, id: own, meta, ...elements }: Resource) => {
    const { versionId: _, lastUpdated: __, ...rest } = meta ?? {}
    const text = { resourceType, id: own, meta: rest, ...structuredClone(elements) }
    for (const { lead } of findStoredReferences(text)) lead('X/x')
    return stringifyExact(text)
  }
  return plain(labelled(resource, id)) === plain(parseExact(content) as Resource)
}

/** Says of the resource that it is no one's real record, as all that is stored here says. */
export function labelled(resource: Resource, id: string): Resource {
  const meta = resource.meta ?? {}
  const labels = Array.isArray(meta.security) ? (meta.security as { code?: unknown }[]) : []
  const security = labels.some(({ code }) => code === testDataLabel.code)
    ? labels
    : [...labels, { ...testDataLabel }]
  return { ...resource, id, meta: { ...meta, security } }
}

export type ReadBatch = ReturnType<typeof readBatch>

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

export function readBatch(batch: readonly Source[]) {
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
  return {
    found,
    /** Keys of resources whose type is not stored here. */
    unstored,
    /** Keys of refused resources: a reference to one must not lead to whatever has that id here. */
    refused,
    refusals,
  }
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
