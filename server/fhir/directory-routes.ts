/**
 * `GET /r4/endpoints` and `/r4/endpoints/sandbox`: public, also for browser apps. For a signed-in member of an organization
 * the sandbox list begins with the organization's own sandbox.
 */
import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { Sessions } from '../auth/sessions.ts'
import { identifierSystems } from '../contract/fhir/codes.ts'
import { Problem, toProblem } from '../contract/http/problems.ts'
import { paths } from '../contract/portal/paths.ts'
import type { Directory, DirectoryEntry, Environment } from '../domain/directory/directory.ts'
import { isUnchanged, validatorHeaders } from '../http/conditions.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { checkSlashes } from '../http/extra-slash.ts'
import { refuseFaults } from '../http/faults.ts'
import { emptyAnswer, jsonAnswer, preflightHeaders, problemOutcome, takeFormat } from '../http/fhir-answer.ts'
import { takeAddressWindow } from '../limits/fhir-windows.ts'
import type { LoadShedding } from '../limits/load-shedding.ts'
import type { Limiter } from '../limits/windows.ts'
import { queryParameters } from './parameters.ts'

type Dependencies = {
  env: { FHIR_ORIGIN: string; PUBLIC_ORIGIN: string }
  directory: Pick<Directory, 'list' | 'listOwn'>
  sessions: Pick<Sessions, 'read'>
  limiter: Limiter
  load: LoadShedding
  clock: () => Date
}

const environments: Readonly<Record<string, Environment>> = {
  '/r4/endpoints': 'production',
  '/r4/endpoints/sandbox': 'sandbox',
}

/** Mounted at `/r4/endpoints`. */
export function createDirectoryRoutes(dependencies: Dependencies): Hono<EdgeEnv> {
  const { env, directory, sessions, limiter, load, clock } = dependencies
  const written = new WeakMap<readonly DirectoryEntry[], { text: string; etag: string }>()
  const app = new Hono<EdgeEnv>()
  app.all('*', serve)
  return app

  async function serve(c: Context<EdgeEnv>): Promise<Response> {
    const { edge } = c.var
    const request = c.req.raw
    edge.route = '/r4/endpoints'
    try {
      await load.admit(edge, request.headers, 'anonymous')
      await takeAddressWindow(edge, limiter)
      if (request.method === 'OPTIONS') return emptyAnswer(204, preflightHeaders)
      refuseFaults(request)
      checkSlashes(request, env.FHIR_ORIGIN)
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
    const accountId = environment === 'sandbox' ? await findAccount(request) : null
    const listed = await directory.list(environment)
    const own = accountId === null ? null : await directory.listOwn(accountId)
    const { text, etag } = own ? compose(environment, [...own, ...listed]) : write(environment, listed)
    const validators = { etag, lastModified: null }
    const headers = {
      ...validatorHeaders(validators),
      'Cache-Control': own ? 'private, no-cache' : 'public, max-age=300',
      // The response depends on the cookie, so caches must not share it.
      ...(environment === 'sandbox' && { Vary: 'Accept-Encoding, Cookie' }),
    }
    return isUnchanged(request.headers, validators)
      ? emptyAnswer(304, headers)
      : jsonAnswer(request, text, { headers })
  }

  /** The account of the signed-in developer, unless MFA is missing. */
  async function findAccount(request: Request): Promise<string | null> {
    const session = (await sessions.read(request, 'developer'))?.session
    return session && session.mfaState !== 'needed' ? session.accountId : null
  }

  /** Composes each list once: the directory returns the same array until it changes. */
  function write(environment: Environment, entries: readonly DirectoryEntry[]) {
    const known = written.get(entries)
    if (known !== undefined) return known
    const composed = compose(environment, entries)
    written.set(entries, composed)
    return composed
  }

  function compose(environment: Environment, entries: readonly DirectoryEntry[]) {
    const url = `${env.FHIR_ORIGIN}/r4/endpoints${environment === 'sandbox' ? '/sandbox' : ''}`
    const origins = { fhirOrigin: env.FHIR_ORIGIN, publicOrigin: env.PUBLIC_ORIGIN }
    const text = JSON.stringify(brandsBundle({ ...origins, url, entries, now: clock() }))
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`
    return { text, etag }
  }
}

/**
 * The directory as a Bundle of brands and endpoints, from which users of an app choose their practice.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/brands.html
 */
const profiles = 'http://hl7.org/fhir/smart-app-launch/StructureDefinition'
const fhirVersionUrl = 'http://hl7.org/fhir/StructureDefinition/endpoint-fhir-version'
const terminology = 'http://terminology.hl7.org/CodeSystem'

type Origins = {
  /** The origin of all FHIR base URLs. */
  fhirOrigin: string
  /** The origin of the portal. */
  publicOrigin: string
}

type BundleOptions = Origins & {
  url: string
  entries: readonly DirectoryEntry[]
  /** The timestamp of an empty directory, which has no time of change. */
  now: Date
}

/** The timestamp is that of the last change, so that the same list gives the same bytes. */
function brandsBundle({ url, entries, now, ...origins }: BundleOptions) {
  const changedAt = entries.reduce<Date | null>(
    (latest, { changedAt: at }) => (latest === null || at > latest ? at : latest),
    null,
  )
  const timestamp = (changedAt ?? now).toISOString()
  return {
    resourceType: 'Bundle',
    meta: { lastUpdated: timestamp, profile: [`${profiles}/user-access-brands-bundle`] },
    type: 'collection',
    timestamp,
    link: [{ relation: 'self', url }],
    ...(entries.length > 0 && {
      entry: entries.flatMap((each) => [
        { fullUrl: `${url}/Organization/${each.slug}`, resource: brand(each, origins) },
        { fullUrl: `${url}/Endpoint/${each.slug}`, resource: endpoint(each, origins) },
      ]),
    }),
  }
}

function brand({ slug, name, npi, address, changedAt }: DirectoryEntry, { publicOrigin }: Origins) {
  return {
    resourceType: 'Organization',
    id: slug,
    meta: { lastUpdated: changedAt.toISOString(), profile: [`${profiles}/user-access-brand`] },
    ...(npi !== null && { identifier: [{ system: identifierSystems.nationalProvider, value: npi }] }),
    active: true,
    type: [{ coding: [{ system: `${terminology}/organization-type`, code: 'prov' }] }],
    name,
    // The profile requires exactly one URL, of a page about the brand.
    telecom: [{ system: 'url', value: `${publicOrigin}${paths.directory}?q=${encodeURIComponent(name)}` }],
    ...(address !== null && {
      address: [
        {
          line: address.lines,
          city: address.city,
          state: address.state,
          postalCode: address.postalCode,
          country: 'US',
        },
      ],
    }),
    endpoint: [{ reference: `Endpoint/${slug}` }],
  }
}

function endpoint({ slug, name, changedAt }: DirectoryEntry, { fhirOrigin, publicOrigin }: Origins) {
  return {
    resourceType: 'Endpoint',
    id: slug,
    meta: { lastUpdated: changedAt.toISOString(), profile: [`${profiles}/user-access-endpoint`] },
    extension: [{ url: fhirVersionUrl, valueCode: '4.0.1' }],
    status: 'active',
    connectionType: { system: `${terminology}/endpoint-connection-type`, code: 'hl7-fhir-rest' },
    name: `${name}, FHIR R4`,
    managingOrganization: { reference: `Organization/${slug}` },
    // The start page for developers.
    contact: [{ system: 'url', value: `${publicOrigin}/` }],
    payloadType: [{ coding: [{ system: `${terminology}/endpoint-payload-type`, code: 'none' }] }],
    payloadMimeType: ['application/fhir+json'],
    address: `${fhirOrigin}/r4/${slug}`,
  }
}
