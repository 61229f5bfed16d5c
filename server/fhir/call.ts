/** One request, and what is known of it so far. */
import type { SmartCall } from '../auth/smart-caller.ts'
import type { FaultStep } from '../contract/lab/fault-script.ts'
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
