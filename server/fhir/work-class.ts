import { fhirOperations } from '../contract/fhir/operations.ts'
import type { WorkClass } from '../contract/http/load-shedding.ts'
import type { Route } from './routes.ts'

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
