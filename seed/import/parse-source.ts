/** Parses texts of the import into resources, or finds the reason why they are invalid. */
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

/** A resource of an unsupported type. */
interface Unstored {
  readonly reason: string
  readonly resource: Resource
  readonly fullUrl: unknown
}

type Parsed = ParsedResource | Unstored | { readonly reason: string }

/** Numbers keep their digits, see `parseExact`. */
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
 * Refuses unreadable names. Other names of records from elsewhere stay unchanged. Only people have a list of names.
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

/** Hashes the original text; 128 bits are enough to distinguish texts. */
function hashOf({ text }: Source): string {
  return createHash('sha256')
    .update((text ?? '').trim())
    .digest('base64url')
    .slice(0, 22)
}

/** @returns the same id for the same resource in every run */
export function newId(type: FhirType, id: unknown, hash: string): string {
  const digest = createHash('sha256')
    .update(`${type}/${String(id)}/${hash}`)
    .digest('hex')
  return `im-${digest.slice(0, 32)}`
}

/**
 * Whether the stored text is the same resource, apart from version, time and targets of references: these can only be
 * compared after all resources of the import have their ids.
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

/** Adds the label for synthetic data, which all stored resources have. */
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
  /** The index in the batch. */
  readonly at: number
  readonly hash: string
  readonly keys: readonly string[]
  readonly references: readonly ReferenceKeys[]
  /** The id at the source, or an id derived from its text. */
  readonly origin: string
}

interface Refusal {
  /** The index in the batch. */
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
    /** Keys of resources of unsupported types. */
    unstored,
    /** Keys of refused resources, so that references to them do not lead to other resources with the same id. */
    refused,
    refusals,
  }
}

/** @returns the reason why the store would refuse the resource */
function refusalOf({ resource }: ParsedResource, id: string): string | null {
  try {
    checkStorable(labelled(resource, id))
    return null
  } catch (error) {
    if (isProblem(error) && error.kind === 'validation') return error.message
    throw error
  }
}
