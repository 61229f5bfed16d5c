/**
 * Finds the route of a method and path. All other interactions are unsupported: writes, history, vread, batch, other
 * operations, unknown types. https://hl7.org/fhir/R4/http.html
 */
import { type FhirOperationName, findFhirOperation } from '../contract/fhir/operations.ts'
import { type FhirType, isFhirType } from '../contract/fhir/registry.ts'

export type Route = (ExportRoute | FhirRoute) & {
  /** For logs: contains the type, but no ids and parameters. */
  readonly pattern: string
}

type FhirRoute =
  | { readonly kind: 'metadata' }
  | { readonly kind: 'read'; readonly type: FhirType; readonly id: string }
  | { readonly kind: 'search'; readonly type: FhirType }
  | {
      readonly kind: 'operation'
      readonly operation: FhirOperationName
      readonly type: FhirType
      /** Null for an operation on a type. */
      readonly id: string | null
    }
  | { readonly kind: 'preflight' }
  | { readonly kind: 'none' }

const none: Route = { kind: 'none', pattern: '/r4/{practice}/*' }

/**
 * @param sent the method; HEAD equals GET, but starts no export
 * @param path below the base URL, percent-encoded and without a leading slash
 */
export function findRoute(sent: string, path: string): Route {
  const method = sent === 'HEAD' ? 'GET' : sent
  const exportRoute = findExportRoute(sent, path)
  if (exportRoute !== null) return exportRoute
  if (method === 'OPTIONS') return { kind: 'preflight', pattern: '/r4/{practice}/*' }
  const segments = path.split('/').map(decodeSegment)
  const [first = '', second, third, ...rest] = segments
  if (rest.length > 0) return none
  if (method === 'GET' && second === undefined && first === 'metadata') {
    return { kind: 'metadata', pattern: '/r4/{practice}/metadata' }
  }
  if (!isFhirType(first)) return none
  const type = first
  const at = `/r4/{practice}/${type}`
  if (method !== 'GET' && method !== 'POST') return none
  // No operation changes anything, so POST equals GET.
  if (third?.startsWith('$')) return operationRoute(type, second ?? '', third, `${at}/{id}`)
  if (third !== undefined) return none
  if (second?.startsWith('$')) return operationRoute(type, null, second, at)
  if (method === 'POST')
    return second === '_search' ? { kind: 'search', type, pattern: `${at}/_search` } : none
  if (second === undefined) return { kind: 'search', type, pattern: at }
  // Segments such as `_history` are not ids.
  return second === '' || second.startsWith('_')
    ? none
    : { kind: 'read', type, id: second, pattern: `${at}/{id}` }
}

function operationRoute(type: FhirType, id: string | null, name: string, at: string): Route {
  const operation = findFhirOperation(type, id === null ? 'type' : 'instance', name.slice(1))
  return operation === null ? none : { kind: 'operation', operation, type, id, pattern: `${at}/${name}` }
}

// The routes of exports below a practice's base URL. https://hl7.org/fhir/uv/bulkdata/STU2/export.html

export type ExportRoute = { readonly kind: 'export'; readonly pattern: string } & (
  | { readonly step: 'kick-off'; readonly groupId: string }
  | { readonly step: 'status'; readonly id: string }
  | { readonly step: 'cancel'; readonly id: string }
  | { readonly step: 'file'; readonly id: string; readonly name: string }
  | { readonly step: 'none' }
)

type Found = ExportRoute | { readonly kind: 'preflight'; readonly pattern: string }

/**
 * @param method as it was sent, because HEAD starts no export
 * @param path below the base URL, as it was sent
 * @returns null if the path is not one of an export
 */
function findExportRoute(method: string, path: string): Found | null {
  const [first, second, third, ...rest] = path.split('/').map(decodeSegment)
  if (rest.length > 0 || second === undefined) return null
  if (first === 'Group' && third === '$export') return kickOffRoute(method, second)
  return first === 'bulk' ? bulkRoute(method, second, third) : null
}

function kickOffRoute(method: string, groupId: string): Found {
  const pattern = '/r4/{practice}/Group/{id}/$export'
  if (method === 'OPTIONS') return { kind: 'preflight', pattern }
  return method === 'GET'
    ? { kind: 'export', step: 'kick-off', groupId, pattern }
    : { kind: 'export', step: 'none', pattern }
}

function bulkRoute(method: string, id: string, name?: string): Found {
  const pattern = `/r4/{practice}/bulk/{id}${name === undefined ? '' : '/{file}'}`
  if (method === 'OPTIONS') return { kind: 'preflight', pattern }
  const isRead = method === 'GET' || method === 'HEAD'
  if (name !== undefined && isRead) return { kind: 'export', step: 'file', id, name, pattern }
  if (name === undefined && isRead) return { kind: 'export', step: 'status', id, pattern }
  return name === undefined && method === 'DELETE'
    ? { kind: 'export', step: 'cancel', id, pattern }
    : { kind: 'export', step: 'none', pattern }
}

/** A segment that cannot be decoded becomes `%`, which matches nothing. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return '%'
  }
}
