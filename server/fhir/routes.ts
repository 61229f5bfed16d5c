/**
 * From method and path to what is asked. Everything that is not here is unavailable: writes, history, vread,
 * batch, operations of other kinds, unknown types. https://hl7.org/fhir/R4/http.html
 */
import { type FhirOperationName, findFhirOperation } from '../contract/fhir/operations.ts'
import { type FhirType, isFhirType } from '../contract/fhir/registry.ts'

export type Route = (ExportRoute | FhirRoute) & {
  /** For logs: with types, without ids and parameters. */
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
      /** Null at operations of a type. */
      readonly id: string | null
    }
  | { readonly kind: 'preflight' }
  | { readonly kind: 'none' }

const none: Route = { kind: 'none', pattern: '/r4/{practice}/*' }

/**
 * @param sent HEAD asks what GET asks, but begins no export
 * @param path below the base, as it was sent: without a slash in front, percent-encoded
 */
export function findRoute(sent: string, path: string): Route {
  const method = sent === 'HEAD' ? 'GET' : sent
  const ofExports = findExportRoute(sent, path)
  if (ofExports !== null) return ofExports
  if (method === 'OPTIONS') return { kind: 'preflight', pattern: '/r4/{practice}/*' }
  const segments = path.split('/').map(decodeSegment)
  const [first = '', second, third, ...more] = segments
  if (more.length > 0) return none
  if (method === 'GET' && second === undefined && first === 'metadata') {
    return { kind: 'metadata', pattern: '/r4/{practice}/metadata' }
  }
  if (!isFhirType(first)) return none
  const type = first
  const at = `/r4/{practice}/${type}`
  if (method !== 'GET' && method !== 'POST') return none
  // None of them changes anything, so a POST is as good as a GET.
  if (third?.startsWith('$')) return operationRoute(type, second ?? '', third, `${at}/{id}`)
  if (third !== undefined) return none
  if (second?.startsWith('$')) return operationRoute(type, null, second, at)
  if (method === 'POST')
    return second === '_search' ? { kind: 'search', type, pattern: `${at}/_search` } : none
  if (second === undefined) return { kind: 'search', type, pattern: at }
  // `_history`, `_search` and the like are no ids.
  return second === '' || second.startsWith('_')
    ? none
    : { kind: 'read', type, id: second, pattern: `${at}/{id}` }
}

function operationRoute(type: FhirType, id: string | null, name: string, at: string): Route {
  const operation = findFhirOperation(type, id === null ? 'type' : 'instance', name.slice(1))
  return operation === null ? none : { kind: 'operation', operation, type, id, pattern: `${at}/${name}` }
}

// Where exports are below a practice's base. https://hl7.org/fhir/uv/bulkdata/STU2/export.html

export type ExportRoute = { readonly kind: 'export'; readonly pattern: string } & (
  | { readonly step: 'kick-off'; readonly groupId: string }
  | { readonly step: 'status'; readonly id: string }
  | { readonly step: 'cancel'; readonly id: string }
  | { readonly step: 'file'; readonly id: string; readonly name: string }
  | { readonly step: 'none' }
)

type Found = ExportRoute | { readonly kind: 'preflight'; readonly pattern: string }

/**
 * @param method as it was sent: HEAD asks for no export
 * @param path below the base, as it was sent
 * @returns null for what is no address of an export
 */
function findExportRoute(method: string, path: string): Found | null {
  const [first, second, third, ...more] = path.split('/').map(decodeSegment)
  if (more.length > 0 || second === undefined) return null
  if (first === 'Group' && third === '$export') return groupRoute(method, second)
  return first === 'bulk' ? exportRoute(method, second, third) : null
}

function groupRoute(method: string, groupId: string): Found {
  const pattern = '/r4/{practice}/Group/{id}/$export'
  if (method === 'OPTIONS') return { kind: 'preflight', pattern }
  return method === 'GET'
    ? { kind: 'export', step: 'kick-off', groupId, pattern }
    : { kind: 'export', step: 'none', pattern }
}

function exportRoute(method: string, id: string, name?: string): Found {
  const pattern = `/r4/{practice}/bulk/{id}${name === undefined ? '' : '/{file}'}`
  if (method === 'OPTIONS') return { kind: 'preflight', pattern }
  const isRead = method === 'GET' || method === 'HEAD'
  if (name !== undefined && isRead) return { kind: 'export', step: 'file', id, name, pattern }
  if (name === undefined && isRead) return { kind: 'export', step: 'status', id, pattern }
  return name === undefined && method === 'DELETE'
    ? { kind: 'export', step: 'cancel', id, pattern }
    : { kind: 'export', step: 'none', pattern }
}

/** What cannot be decoded is a name that nothing has. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return '%'
  }
}
