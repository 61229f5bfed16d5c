/** The state of one request while the pipeline handles it. */
import type { SmartCall } from '../auth/smart-caller.ts'
import { bulkOperations, type FhirOperationRow, fhirOperations } from '../contract/fhir/operations.ts'
import type { Deprecation } from '../contract/http/deprecation.ts'
import type { WorkClass } from '../contract/http/load-shedding.ts'
import type { FaultStep } from '../contract/lab/fault-script.ts'
import { paths } from '../contract/portal/paths.ts'
import type { DeprecationNotice } from '../http/deprecation-headers.ts'
import type { Edge } from '../http/edge.ts'
import { pathOf, withoutExtraSlash } from '../http/extra-slash.ts'
import type { Budget } from '../limits/windows.ts'
import { findRoute, type Route } from './routes.ts'

export type Call = SmartCall & {
  readonly edge: Edge
  /** The practice's slug, from the path. */
  readonly slug: string
  /** The practice's FHIR base URL, without a slash at its end. */
  readonly base: string
  readonly route: Route

  /** The fault that the Fault Lab injected. */
  fault: FaultStep | null
  /** The announced end of the requested operation, if any. */
  notice: DeprecationNotice | null
  budgets: readonly Budget[]
}

const basePath = '/r4/'

/** @param origin the origin of all FHIR base URLs */
export function openCall(request: Request, edge: Edge, origin: string): Call {
  const path = withoutExtraSlash(pathOf(request.url))
  const below = path.startsWith(basePath) ? path.slice(basePath.length) : ''
  const slash = below.indexOf('/')
  const slug = decodeSlug(slash < 0 ? below : below.slice(0, slash))
  const route = findRoute(request.method, slash < 0 ? '' : below.slice(slash + 1))
  edge.route = route.pattern
  return {
    request,
    edge,
    slug,
    base: `${origin}${basePath}${encodeURIComponent(slug)}`,
    route,
    principal: null,
    alive: false,
    fault: null,
    notice: null,
    clientId: null,
    practiceId: null,
    environment: null,
    budgets: [],
  }
}

function decodeSlug(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// Only operations can be deprecated, not reads and searches. Of an export only the kick-off can be, so that running
// exports can be finished.

const rows: Readonly<Record<string, FhirOperationRow>> = { ...fhirOperations, ...bulkOperations }

export function findNotice(
  { base, route }: Pick<Call, 'base' | 'route'>,
  deprecated: Readonly<Record<string, Deprecation>>,
): DeprecationNotice | null {
  const deprecation = deprecated[operationName(route)]
  if (deprecation === undefined) return null
  const id = route.kind === 'operation' ? route.id : null
  return {
    deprecation,
    page: paths.typeReference('operations'),
    successor: operationUrl(base, rows[deprecation.successor ?? ''], id),
  }
}

function operationName(route: Call['route']): string {
  if (route.kind === 'operation') return route.operation
  return route.kind === 'export' && route.step === 'kick-off' ? 'export' : ''
}

/** Null if the operation needs the id of an instance and the request names none. */
function operationUrl(base: string, row: FhirOperationRow | undefined, id: string | null): string | null {
  if (row === undefined) return null
  if (row.level === 'type') return `${base}/${row.type}/$${row.name}`
  return id === null ? null : `${base}/${row.type}/${encodeURIComponent(id)}/$${row.name}`
}

/** Decides how early a request is refused under load. */
export function workClassOf({ url, headers }: Pick<Request, 'url' | 'headers'>, route: Route): WorkClass {
  // A browser sends a preflight before a request with a credential.
  if (route.kind === 'preflight') return 'authorized'
  if (route.kind === 'metadata' || !headers.has('authorization')) return 'anonymous'
  return isHeavy(url, route) ? 'heavy' : 'authorized'
}

/** Does not see `_include` in the body of a `_search`, which has not been read yet. */
function isHeavy(url: string, route: Route): boolean {
  if (route.kind === 'operation') return fhirOperations[route.operation].heavy !== undefined
  if (route.kind === 'export') return route.step === 'kick-off' || route.step === 'file'
  return route.kind === 'search' && /[?&]_(?:rev)?include\b/.test(url)
}
