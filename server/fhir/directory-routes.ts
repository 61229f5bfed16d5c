/** `GET /r4/endpoints` and `/r4/endpoints/sandbox`: public, for browser apps too. */
import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { Problem, toProblem } from '../contract/http/problems.ts'
import type { Directory, DirectoryEntry, Environment } from '../domain/directory/directory.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { refuseFaults } from '../http/fault-hook.ts'
import { emptyAnswer, isUnchanged, jsonAnswer, validatorHeaders } from '../http/fhir-answer.ts'
import { preflightHeaders } from '../http/fhir-cors.ts'
import { takeFormat } from '../http/fhir-format.ts'
import { problemOutcome } from '../http/outcome.ts'
import { takeAddressWindow } from '../limits/fhir-windows.ts'
import type { Limiter } from '../limits/windows.ts'
import { brandsBundle } from './brands.ts'
import { queryParameters } from './parameters.ts'

type Dependencies = {
  env: { FHIR_ORIGIN: string; PUBLIC_ORIGIN: string }
  directory: Pick<Directory, 'list'>
  limiter: Limiter
  clock: () => Date
}

const environments: Readonly<Record<string, Environment>> = {
  '/r4/endpoints': 'production',
  '/r4/endpoints/sandbox': 'sandbox',
}

/** Mounted at `/r4/endpoints`. */
export function createDirectoryRoutes({ env, directory, limiter, clock }: Dependencies): Hono<EdgeEnv> {
  const written = new WeakMap<readonly DirectoryEntry[], { text: string; etag: string }>()
  const app = new Hono<EdgeEnv>()
  app.all('*', serve)
  return app

  async function serve(c: Context<EdgeEnv>): Promise<Response> {
    const { edge } = c.var
    const request = c.req.raw
    edge.route = '/r4/endpoints'
    try {
      await takeAddressWindow(edge, limiter)
      if (request.method === 'OPTIONS') return emptyAnswer(204, preflightHeaders)
      refuseFaults(request)
      const environment = environments[c.req.path]
      if (environment === undefined || !['GET', 'HEAD'].includes(request.method)) {
        throw new Problem('unsupported')
      }
      edge.route = c.req.path
      takeFormat(queryParameters(request), request.headers.get('accept'))
      return await answer(request, environment)
    } catch (thrown) {
      const problem = toProblem(thrown)
      if (problem.status >= 500) c.error = problem
      return jsonAnswer(request, problemOutcome(problem, edge.correlationId), {
        status: problem.status,
        headers: problem.headers,
      })
    }
  }

  async function answer(request: Request, environment: Environment): Promise<Response> {
    const { text, etag } = write(environment, await directory.list(environment))
    const validators = { etag, lastModified: null }
    const headers = { ...validatorHeaders(validators), 'Cache-Control': 'public, max-age=300' }
    return isUnchanged(request.headers, validators)
      ? emptyAnswer(304, headers)
      : jsonAnswer(request, text, { headers })
  }

  /** Once per list: the directory gives the same one until it is read anew. */
  function write(environment: Environment, entries: readonly DirectoryEntry[]) {
    const known = written.get(entries)
    if (known !== undefined) return known
    const url = `${env.FHIR_ORIGIN}/r4/endpoints${environment === 'sandbox' ? '/sandbox' : ''}`
    const origins = { fhirOrigin: env.FHIR_ORIGIN, publicOrigin: env.PUBLIC_ORIGIN }
    const text = JSON.stringify(brandsBundle({ ...origins, url, entries, now: clock() }))
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`
    written.set(entries, { text, etag })
    return { text, etag }
  }
}
