/** Logs why a page failed: our own faults as errors, a visitor's as information. */
import { isRouteErrorResponse } from '@remix-run/react'
import type { Services } from '../../server/services.ts'

interface Circumstances {
  log: Pick<Services['log'], 'error' | 'info'>
  request: Pick<Request, 'signal'>
  correlationId: string
}

/**
 * @param thrown an error, or Remix's error response, which has a status and may have an error inside
 * @param text what is logged if it is our own fault
 */
export function reportFault(thrown: unknown, text: string, { log, request, correlationId }: Circumstances) {
  if (request.signal.aborted) {
    // An interrupted upload or a closed page is nothing that we could fix.
    log.info({ correlationId }, 'the visitor left before the page was done')
  } else if (isRouteErrorResponse(thrown) && thrown.status < 500) {
    log.info({ status: thrown.status, correlationId }, 'a page was refused')
  } else {
    log.error({ err: errorIn(thrown), correlationId }, text)
  }
}

function errorIn(thrown: unknown): unknown {
  if (!isRouteErrorResponse(thrown)) return thrown
  return 'error' in thrown && thrown.error instanceof Error
    ? thrown.error
    : new Error(`answered with ${thrown.status}`)
}
