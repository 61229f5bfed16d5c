/** Where exports are below a practice's base. https://hl7.org/fhir/uv/bulkdata/STU2/export.html */
import { decodeSegment } from '../decode-segment.ts'

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
export function findExportRoute(method: string, path: string): Found | null {
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
