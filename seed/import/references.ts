/** The references of a resource from elsewhere: found, and written as they lie in the store. */
import { isFhirType } from '../../server/contract/fhir-registry.ts'

/** An element of a Reference that names its target. */
interface Holder {
  reference: string
}

/** Every Reference that leads out of the resource; `#contained` ones stay inside. */
export function findReferences(element: unknown): Holder[] {
  if (Array.isArray(element)) return element.flatMap(findReferences)
  if (typeof element !== 'object' || element === null) return []
  const inner = Object.values(element).flatMap((each) =>
    typeof each === 'object' && each !== null ? findReferences(each) : [],
  )
  const { reference } = element as { reference?: unknown }
  return typeof reference === 'string' && reference !== '' && !reference.startsWith('#')
    ? [element as Holder, ...inner]
    : inner
}

/**
 * The keys a reference may be known by, the most exact first: as it stands (`urn:uuid:…`, the full URL of an
 * entry), without its version, as `Type/id`, as `Type?identifier=system|value`.
 */
export function keysOf(reference: string): string[] {
  const [unversioned = reference] = reference.split('/_history/')
  const keys = [reference, unversioned]
  const conditional = /(?:^|\/)(\w+)\?identifier=([^&]+)$/.exec(unversioned)
  if (conditional) keys.push(`${conditional[1]}?identifier=${decoded(conditional[2] as string)}`)
  const relative = /(?:^|\/)([A-Z]\w+)\/([A-Za-z0-9.-]{1,64})$/.exec(unversioned)
  if (relative) keys.push(`${relative[1]}/${relative[2]}`)
  return [...new Set(keys)].filter(isKey)
}

/** The keys by which others may refer to a resource. */
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

/** True for a key that may name a resource of the practice itself. */
export function isRelative(key: string): boolean {
  const [type = '', id, rest] = key.split('/')
  return id !== undefined && rest === undefined && isFhirType(type)
}

/** Short enough for an index, and a text PostgreSQL can hold. */
function isKey(key: string): boolean {
  return key.length <= 600 && !key.includes('\0')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
