import { PassThrough } from 'node:stream'
import { createReadableStreamFromReadable } from '@remix-run/node'
import { RemixServer } from '@remix-run/react'
import type {
  AppLoadContext,
  EntryContext,
  HandleDataRequestFunction,
  HandleErrorFunction,
} from '@remix-run/server-runtime'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import { reportFault } from './lib/fault-report.ts'
import { NonceContext } from './lib/nonce.ts'
import { takeHeaders } from './services.server.ts'

/** How long a page may stream before its missing parts fail. */
export const streamTimeout = 5_000

/** Streams the page; crawlers wait for all of it. Scripts have the response's nonce. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const waitForAll = isbot(request.headers.get('user-agent')) || request.method === 'HEAD'
  return new Promise((resolve, reject) => {
    let responseStatus = status
    let started = false
    const start = () => {
      if (started) return
      started = true
      const body = new PassThrough()
      headers.set('content-type', 'text/html; charset=utf-8')
      // Pages differ by cookie; none is for a shared cache, and a page that showed a key for no cache at all.
      if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-store')
      takeHeaders(context, headers)
      resolve(new Response(createReadableStreamFromReadable(body), { headers, status: responseStatus }))
      pipe(body)
    }
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={context.nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={context.nonce} />
      </NonceContext.Provider>,
      {
        nonce: context.nonce,
        onShellReady: waitForAll ? undefined : start,
        onAllReady: start,
        onShellError: reject,
        onError(error) {
          responseStatus = 500
          // A failure before the shell is reported by the server runtime itself.
          if (started) report(error, request, context)
        },
      },
    )
    const timer = setTimeout(abort, streamTimeout + 1_000)
    timer.unref()
    // The visitor left, so rendering stops.
    request.signal.addEventListener('abort', () => abort(request.signal.reason), { once: true })
  })
}

/** The status of a redirect in a single fetch. The browser then requests the page that it leads to. */
const redirectStatus = 202

export const handleDataRequest: HandleDataRequestFunction = (response, { context }) => {
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-store')
  // A message that is shown once is left for that page.
  if (response.status === redirectStatus) return response
  takeHeaders(context, response.headers)
  return response
}

export const handleError: HandleErrorFunction = (error, { request, context }) =>
  report(error, request, context)

function report(error: unknown, request: Request, { services, correlationId }: AppLoadContext) {
  reportFault(error, 'a page failed to render', { log: services.log, request, correlationId })
}
