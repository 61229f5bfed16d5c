/** One request on its way through the door, and what is known of it so far. */
import type { SmartPrincipal } from '../auth/principal.ts'
import type { FaultStep } from '../contract/fault-script.ts'
import type { Edge } from '../http/edge.ts'
import type { Budget } from '../limits/windows.ts'
import { findRoute, type Route } from './routes.ts'

export type Call = {
  readonly request: Request
  readonly edge: Edge
  /** HEAD is GET without a body. */
  readonly method: string
  /** Of the practice in the path. */
  readonly slug: string
  /** Absolute FHIR base of that practice, no slash at its end. */
  readonly base: string
  readonly route: Route

  principal: SmartPrincipal | null
  /** The database has said during this request that the principal is good. */
  alive: boolean
  /** What the Fault Lab injected. */
  fault: FaultStep | null
  /** To whom a request is logged that did not authenticate. */
  clientId: string | null
  practiceId: string | null
  environment: 'sandbox' | 'production' | null
  budgets: readonly Budget[]
}

const mount = '/r4/'

/** @param origin of every FHIR base */
export function openCall(request: Request, edge: Edge, origin: string): Call {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const path = pathOf(request.url)
  const below = path.startsWith(mount) ? path.slice(mount.length) : ''
  const at = below.indexOf('/')
  const slug = decodeSlug(at < 0 ? below : below.slice(0, at))
  const route = findRoute(method, at < 0 ? '' : below.slice(at + 1))
  edge.route = route.pattern
  return {
    request,
    edge,
    method,
    slug,
    base: `${origin}${mount}${encodeURIComponent(slug)}`,
    route,
    principal: null,
    alive: false,
    fault: null,
    clientId: null,
    practiceId: null,
    environment: null,
    budgets: [],
  }
}

/** As it was sent: what is encoded in it stays so, and a slash in a name is no slash. */
function pathOf(url: string): string {
  const [, path = '/'] = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url) ?? []
  return path
}

function decodeSlug(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
