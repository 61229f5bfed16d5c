/** One request, and what is known of it so far. */
import type { SmartCall } from '../auth/smart-caller.ts'
import { bulkOperations, type FhirOperationRow, fhirOperations } from '../contract/fhir/operations.ts'
import type { Deprecation } from '../contract/http/deprecation.ts'
import type { WorkClass } from '../contract/http/load-shedding.ts'
import type { FaultStep } from '../contract/lab/fault-script.ts'
import { paths } from '../contract/portal/paths.ts'
import type { Ending } from '../http/deprecation-headers.ts'
import type { Edge } from '../http/edge.ts'
import { pathOf, withoutExtraSlash } from '../http/extra-slash.ts'
import type { Budget } from '../limits/windows.ts'
import { findRoute, type Route } from './routes.ts'

export type Call = SmartCall & {
  readonly edge: Edge
  /** Of the practice in the path. */
  readonly slug: string
  /** Absolute FHIR base of that practice, no slash at its end. */
  readonly base: string
  readonly route: Route

  /** What the Fault Lab injected. */
  fault: FaultStep | null
  /** The end of the operation that was asked for, where one is announced. */
  ending: Ending | null
  budgets: readonly Budget[]
}

const mount = '/r4/'

/** @param origin of every FHIR base */
export function openCall(request: Request, edge: Edge, origin: string): Call {
  const path = withoutExtraSlash(pathOf(request.url))
  const below = path.startsWith(mount) ? path.slice(mount.length) : ''
  const at = below.indexOf('/')
  const slug = decodeSlug(at < 0 ? below : below.slice(0, at))
  const route = findRoute(request.method, at < 0 ? '' : below.slice(at + 1))
  edge.route = route.pattern
  return {
    request,
    edge,
    slug,
    base: `${origin}${mount}${encodeURIComponent(slug)}`,
    route,
    principal: null,
    alive: false,
    fault: null,
    ending: null,
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

// Deprecation headers of an operation that will end. Reading and searching are no operations: they stay. Of an export
// only its start can end, so that one that runs is not lost.

const rows: Readonly<Record<string, FhirOperationRow>> = { ...fhirOperations, ...bulkOperations }

export function endingOf(
  { base, route }: Pick<Call, 'base' | 'route'>,
  deprecated: Readonly<Record<string, Deprecation>>,
): Ending | null {
  const deprecation = deprecated[nameOf(route)]
  if (deprecation === undefined) return null
  const id = route.kind === 'operation' ? route.id : null
  return {
    deprecation,
    page: paths.typeReference('operations'),
    successor: addressOf(base, rows[deprecation.successor ?? ''], id),
  }
}

function nameOf(route: Call['route']): string {
  if (route.kind === 'operation') return route.operation
  return route.kind === 'export' && route.step === 'kick-off' ? 'export' : ''
}

/** Null where it is of an instance that the request does not name. */
function addressOf(base: string, row: FhirOperationRow | undefined, id: string | null): string | null {
  if (row === undefined) return null
  if (row.level === 'type') return `${base}/${row.type}/$${row.name}`
  return id === null ? null : `${base}/${row.type}/${encodeURIComponent(id)}/$${row.name}`
}

/** Whether a request is refused early or late under load. */
export function workClassOf({ url, headers }: Pick<Request, 'url' | 'headers'>, route: Route): WorkClass {
  // A browser asks with it whether it may send a request that has a credential.
  if (route.kind === 'preflight') return 'authorized'
  if (route.kind === 'metadata' || !headers.has('authorization')) return 'anonymous'
  return isHeavy(url, route) ? 'heavy' : 'authorized'
}

/** The parameters of a search in a form are not known yet. */
function isHeavy(url: string, route: Route): boolean {
  if (route.kind === 'operation') return fhirOperations[route.operation].heavy !== undefined
  if (route.kind === 'export') return route.step === 'kick-off' || route.step === 'file'
  return route.kind === 'search' && /[?&]_(?:rev)?include\b/.test(url)
}
