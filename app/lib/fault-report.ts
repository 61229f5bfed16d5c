/** What is logged when a page fails: faults of ours as errors, the visitor's own doings not. */
import { isRouteErrorResponse } from '@remix-run/react'
import type { Services } from '../../server/services.ts'

interface Circumstances {
  log: Pick<Services['log'], 'error' | 'info'>
  request: Pick<Request, 'signal'>
  correlationId: string
}

/**
 * @param thrown an error; or what Remix makes of a request that no page answers: a status, and the error inside
 * @param said the message of the line, when it is a fault of ours
 */
export function reportFault(thrown: unknown, said: string, { log, request, correlationId }: Circumstances) {
  if (request.signal.aborted) {
    // An upload broken off, a page closed while it came: nothing to mend, and no one to tell.
    log.info({ correlationId }, 'the visitor left before the page was done')
  } else if (isRouteErrorResponse(thrown) && thrown.status < 500) {
    log.info({ status: thrown.status, correlationId }, 'a page was refused')
  } else {
    log.error({ err: errorIn(thrown), correlationId }, said)
  }
}

function errorIn(thrown: unknown): unknown {
  if (!isRouteErrorResponse(thrown)) return thrown
  return 'error' in thrown && thrown.error instanceof Error
    ? thrown.error
    : new Error(`answered with ${thrown.status}`)
}
