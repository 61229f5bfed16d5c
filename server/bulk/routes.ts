/** Where this door answers below a practice's base; everything else of the base is another door's. */
export type BulkRoute = (
  | { readonly kind: 'kick-off'; readonly groupId: string }
  | { readonly kind: 'status'; readonly id: string }
  | { readonly kind: 'cancel'; readonly id: string }
  | { readonly kind: 'file'; readonly id: string; readonly name: string }
  | { readonly kind: 'preflight' }
  | { readonly kind: 'none' }
) & { readonly pattern: string; readonly slug: string }

/**
 * @param path as it was sent
 * @returns null for what this door does not know
 */
export function findBulkRoute(method: string, path: string): BulkRoute | null {
  const [empty, mount, slug = '', first, second, third, ...more] = path.split('/').map(decodeSegment)
  if (empty !== '' || mount !== 'r4' || more.length > 0 || second === undefined) return null
  const route = first === 'Group' ? groupRoute(method, second, third) : null
  const found = route ?? (first === 'bulk' ? exportRoute(method, second, third) : null)
  return found === null ? null : { ...found, slug }
}

type Found = BulkRoute extends infer R ? (R extends BulkRoute ? Omit<R, 'slug'> : never) : never

function groupRoute(method: string, groupId: string, operation?: string): Found | null {
  if (operation !== '$export') return null
  const pattern = '/r4/{practice}/Group/{id}/$export'
  if (method === 'OPTIONS') return { kind: 'preflight', pattern }
  return method === 'GET' ? { kind: 'kick-off', groupId, pattern } : { kind: 'none', pattern }
}

function exportRoute(method: string, id: string, name?: string): Found {
  const pattern = `/r4/{practice}/bulk/{id}${name === undefined ? '' : '/{file}'}`
  if (method === 'OPTIONS') return { kind: 'preflight', pattern }
  if (name !== undefined) {
    return method === 'GET' || method === 'HEAD'
      ? { kind: 'file', id, name, pattern }
      : { kind: 'none', pattern }
  }
  if (method === 'GET' || method === 'HEAD') return { kind: 'status', id, pattern }
  return method === 'DELETE' ? { kind: 'cancel', id, pattern } : { kind: 'none', pattern }
}

/** What cannot be decoded is a name that nothing has. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return '%'
  }
}
