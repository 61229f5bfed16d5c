/** Finds and rewrites the references of an imported resource. */
import { isFhirType } from '../../server/contract/fhir/registry.ts'
import { basePlaceholder } from '../../server/contract/fhir/type-row.ts'

/** A reference to another resource. */
export interface Holder {
  readonly reference: string
  /** See `keysOf`. */
  readonly keys: readonly string[]
  /** True for a supported or unknown type. */
  readonly isStored: boolean
  /** Rewrites the reference. @param address `Type/id` in the store; null for an unsupported type */
  readonly lead: (address: string | null) => void
}

/** Finds all references to other resources, without those to `#contained` ones. */
export function findReferences(element: unknown, found: Holder[] = []): Holder[] {
  if (Array.isArray(element)) {
    for (const each of element) findReferences(each, found)
    return found
  }
  if (typeof element !== 'object' || element === null) return found
  const { reference, url } = element as { reference?: unknown; url?: unknown }
  if (typeof reference === 'string' && reference !== '' && !reference.startsWith('#')) {
    found.push(referenceHolder(element as { reference?: string; type?: string }, reference))
  }
  if (typeof url === 'string' && url.startsWith(`${basePlaceholder}/`)) {
    found.push(...attachmentHolder(element as { url: string }))
  }
  for (const each of Object.values(element)) {
    if (typeof each === 'object' && each !== null) findReferences(each, found)
  }
  return found
}

/** Finds the references to supported types. */
export const findStoredReferences = (element: unknown): Holder[] =>
  findReferences(element).filter(({ isStored }) => isStored)

/** A Reference to an unsupported type only loses its `reference`: display, identifier and type stay. */
function referenceHolder(element: { reference?: string; type?: string }, reference: string): Holder {
  const keys = keysOf(reference)
  return {
    reference,
    keys,
    isStored: isStoredType(keys),
    lead(address) {
      if (address !== null) element.reference = address
      else {
        delete element.reference
        const type = keys[0]?.split(/[/?]/)[0] ?? ''
        if (element.type === undefined && /^[A-Z][A-Za-z]+$/.test(type)) element.type = type
      }
    },
  }
}

/** The URL of a stored document, in an export of this service. */
function attachmentHolder(element: { url: string }): Holder[] {
  const [, reference, rest] =
    /^([A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64})(\/.*)$/.exec(element.url.slice(basePlaceholder.length + 1)) ?? []
  if (!reference) return []
  const keys = keysOf(reference)
  return [
    {
      reference,
      keys,
      isStored: isStoredType(keys),
      lead(address) {
        if (address !== null) element.url = `${basePlaceholder}/${address}${rest}`
      },
    },
  ]
}

/** Removes empty References from lists with other entries. */
export function pruneLists(element: unknown): void {
  if (typeof element !== 'object' || element === null) return
  for (const [name, each] of Object.entries(element)) {
    if (Array.isArray(each) && each.some(isBare) && !each.every(isBare)) {
      Object.assign(element, { [name]: each.filter((one) => !isBare(one)) })
    }
    pruneLists(each)
  }
}

function isBare(element: unknown): boolean {
  if (typeof element !== 'object' || element === null) return false
  const names = Object.keys(element)
  return (
    names.length === 0 ||
    (names.length === 1 && names[0] === 'type' && typeof (element as { type: unknown }).type === 'string')
  )
}

/** The usual form of references. */
const plainReference = /^[A-Z]\w{1,64}\/[A-Za-z0-9.-]{1,64}$/

/**
 * The keys of a reference, the most general first: `Type/id` or `Type?identifier=system|value`, then the reference itself
 * (`urn:uuid:…`, the full URL of an entry), without its version.
 */
function keysOf(reference: string): readonly string[] {
  if (plainReference.test(reference)) return [reference]
  const [exact = reference] = reference.split('/_history/')
  const conditional = /(?:^|\/)(\w+)\?identifier=([^&]+)$/.exec(exact)
  if (conditional) return [`${conditional[1]}?identifier=${decoded(conditional[2] as string)}`].filter(isKey)
  const relative = /(?:^|\/)([A-Z]\w+)\/([A-Za-z0-9.-]{1,64})$/.exec(exact)
  return [...new Set([...(relative ? [`${relative[1]}/${relative[2]}`] : []), exact])].filter(isKey)
}

/** The keys by which references may name a resource. */
export function ownKeys(
  { resourceType, id, identifier }: Readonly<Record<string, unknown>>,
  fullUrl: unknown,
): string[] {
  const identifiers = (Array.isArray(identifier) ? identifier : []).flatMap((each: unknown) => {
    const { system, value } = (each ?? {}) as { system?: unknown; value?: unknown }
    return typeof value === 'string'
      ? [`${resourceType}?identifier=${typeof system === 'string' ? `${system}|` : ''}${value}`]
      : []
  })
  return [
    ...(typeof id === 'string' ? [`${resourceType}/${id}`] : []),
    ...(typeof fullUrl === 'string' ? [fullUrl] : []),
    ...new Set(identifiers),
  ].filter(isKey)
}

/** False if the reference names an unsupported type: `Claim/7`, `Claim?identifier=…`. */
function isStoredType([key = '']: readonly string[]): boolean {
  const [, type] = /^([A-Z][A-Za-z]+)[/?]./.exec(key) ?? []
  return type === undefined || isFhirType(type)
}

/** Whether an index of PostgreSQL can store the key. */
const isKey = (key: string): boolean => key.length <= 600 && !key.includes('\0')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
