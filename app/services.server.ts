/**
 * The portal's one way to the backend. Loaders and actions are made by `page`, which turns the
 * domain's refusals into pages and gives every fault the correlation id of its own request.
 */
import {
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from '@remix-run/server-runtime'
import { asProblem, isProblem, Problem } from '../server/contract/http/problems.ts'
import { roleRead } from '../server/contract/portal/organization-roles.ts'
import { paths } from '../server/contract/portal/paths.ts'
import type { Realm } from '../server/contract/portal/realms.ts'
import { findMissingProof } from '../server/contract/portal/step-up.ts'
import type { DocsSource } from '../server/portal/docs-mcp.ts'
import type { Services } from '../server/services.ts'
import { reportFault } from './lib/fault-report.ts'
import { safeRedirect } from './lib/safe-redirect.ts'
import { confirmPath, type ProofRealm, proofPaths, realmOf, signInPaths } from './lib/sign-in-paths.ts'
import { findSentReview, textReviewOf } from './lib/text-review.server.ts'
import { zoneOf } from './lib/zone.ts'

declare module '@remix-run/server-runtime' {
  interface AppLoadContext {
    services: Services
    /** The nonce of this response's content security policy. */
    nonce: string
    correlationId: string
    clientIp: string
    /** Whether development pages may respond: a request from this machine to itself, with the embedded database. */
    mayDevelop: boolean
    /**
     * Sends a request to our own sandbox (`/sandbox/api/v1/…`) or FHIR (`/r4/…`) API without leaving this process:
     * every limit, refusal and log applies, and it comes from this visitor's address. The request must be built anew,
     * with headers chosen here: never pass on what the browser sent.
     */
    callApi: (request: Request) => Promise<Response>
    /** Set if the documentation's MCP server sent the request. */
    takeDocs?: (docs: DocsSource) => void
    /** The token of the link in an email that opened this page (portal/mail-links.ts). */
    linkToken?: string | undefined
    /** Why the loader or action failed, for a route without a page of its own (public/not-found.route.tsx). */
    fault?: { status: number; data: unknown }
  }
}

export type PortalSession = NonNullable<Awaited<ReturnType<Services['sessions']['read']>>>['session']
/** The arguments of a loader or an action. */
export type PageArgs = LoaderFunctionArgs

/** The data of a thrown response, for the error page. */
interface Fault {
  correlationId: string
  at: string
  message?: string
}

/**
 * Wraps a loader or action: a `Problem` becomes an answer with its status and public sentence,
 * want of a database connection a 503; anything else is logged and becomes a 500 that shows nothing but the
 * correlation id. A handler that takes too long becomes a 503, so that no one looks at a blank page while the
 * database hangs.
 */
export function page<R>(
  handler: (args: PageArgs) => Promise<R> | R,
  { withinMs }: { withinMs?: number } = {},
): (args: PageArgs) => Promise<R> {
  return async (args) => {
    try {
      const answer = await beforeDeadline(
        async () => handler(args),
        withinMs ?? (isRead(args.request) ? deadlineMs.read : deadlineMs.write),
      )
      if (isDataAnswer(answer)) {
        keepRetryAfter(args.context, answer.init?.headers)
        showTextWarning(args.request, answer)
      }
      return answer
    } catch (thrown) {
      if (thrown instanceof Response) throw thrown
      if (isDataAnswer(thrown)) {
        keepRetryAfter(args.context, thrown.init?.headers)
        args.context.fault = { status: thrown.init?.status ?? 200, data: thrown.data }
        throw thrown
      }
      const { correlationId, services } = args.context
      const fault: Fault = { correlationId, at: services.clock().toISOString() }
      const cause = asProblem(thrown)
      if (isProblem(cause)) keepRetryAfter(args.context, cause.headers)
      // A refusal because a proof is too old redirects to the page that asks for it, and then back.
      if (isProblem(cause) && cause.field === 'stepUp')
        throw redirect(confirmPath(proofPaths[realmOf(args.request)].mfa, here(args.request)))
      if (isProblem(cause) && cause.status < 500) {
        throw failed(args.context, { ...fault, message: cause.message }, cause.status)
      }
      reportFault(cause, 'a page failed', { log: services.log, request: args.request, correlationId })
      throw failed(args.context, fault, isProblem(cause) ? cause.status : 500)
    }
  }
}

function failed(context: AppLoadContext, shown: unknown, status: number) {
  context.fault = { status, data: shown }
  return data(shown, { status })
}

/** An action may wait for several statements and for another site; a loader may not. */
const deadlineMs = { read: 8_000, write: 15_000, part: 5_000 }
/** For requests of the explorer, which a fault can hold back for 30 seconds, and for documents that take long. */
export const longDeadlineMs = 45_000

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/** @throws Problem `unavailable`, without waiting for the rest of the work */
async function beforeDeadline<R>(work: () => Promise<R>, milliseconds: number): Promise<R> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const problem = new Problem('unavailable', { detail: 'page deadline', retryAfterSeconds: 5 })
    timer = setTimeout(() => reject(problem), milliseconds)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Loads an optional part of a page; null if it is unavailable, or would delay the page. */
export async function unlessUnavailable<R>(work: () => Promise<R>): Promise<R | null> {
  try {
    return await beforeDeadline(work, deadlineMs.part)
  } catch (thrown) {
    if (isProblem(thrown) && thrown.kind === 'unavailable') return null
    throw thrown
  }
}

/** `data(…)` is thrown as an object of Remix's own, distinguished by its type tag. */
function isDataAnswer(answer: unknown): answer is { init: ResponseInit | null; data: unknown } {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'type' in answer &&
    answer.type === 'DataWithResponseInit'
  )
}

/** With whatever a refused form is answered, the page shows the warning about its text (components/ui/text-warning.tsx). */
function showTextWarning(request: Request, answer: { data: unknown }): void {
  const textReview = findSentReview(request)
  if (textReview && typeof answer.data === 'object') answer.data = { ...answer.data, textReview }
}

const sessionsOfRequest = new WeakMap<AppLoadContext, Map<Realm, Promise<PortalSession | null>>>()
const headersOfAnswer = new WeakMap<AppLoadContext, [name: string, value: string][]>()

function queueHeader(context: AppLoadContext, name: string, value: string): void {
  headersOfAnswer.set(context, [...(headersOfAnswer.get(context) ?? []), [name, value]])
}

/** Remix drops a response's headers unless every parent route passes them on. */
function keepRetryAfter(context: AppLoadContext, headers: HeadersInit | undefined): void {
  const value = new Headers(headers).get('retry-after')
  if (value !== null) queueHeader(context, 'retry-after', value)
}

/** The session of a realm, read once per request for all loaders. */
export function findSession({ request, context }: PageArgs, realm: Realm): Promise<PortalSession | null> {
  const known = sessionsOfRequest.get(context) ?? new Map<Realm, Promise<PortalSession | null>>()
  sessionsOfRequest.set(context, known)
  const found =
    known.get(realm) ??
    context.services.sessions.read(request, realm).then((answer) => answer?.session ?? null)
  known.set(realm, found)
  return found
}

/**
 * The session of a realm, or a redirect that leads back here: to its sign-in page, or to the second step where that
 * is still to come.
 */
export async function getSession(args: PageArgs, realm: Realm): Promise<PortalSession> {
  const session = await findSession(args, realm)
  if (session && session.mfaState !== 'needed') return session
  const stop = session ? proofPaths[realm as ProofRealm].mfa : signInPaths[realm]
  throw redirect(confirmPath(stop, here(args.request)))
}

/** The page's own path and query; for an action, the page it was sent from. */
export function here(request: Request): string {
  const url = new URL(request.url)
  return safeRedirect(url.pathname.replace(/\.data$/, '') + url.search)
}

/** The address at which a route of several is mounted: as `app/routes.ts` writes it, whatever its case. */
export const mountedAt = ({ url }: Request) => new URL(url).pathname.toLowerCase().replace(/\/+$/, '')

/** The token of the link in an email that opened this page. When its cookie has expired, the browser asks for the link. */
export function linkTokenOf({ request, context }: Pick<PageArgs, 'request' | 'context'>): string {
  if (context.linkToken !== undefined) return context.linkToken
  throw redirectDocument(new URL(request.url).pathname.replace(/\.data$/, ''))
}

/** Queues a Set-Cookie for this response, which entry.server writes. A redirect needs its own. */
export function setCookie(context: AppLoadContext, cookie: string): void {
  queueHeader(context, 'set-cookie', cookie)
}

/** Moves the queued cookies into the response's headers. */
export function takeHeaders(context: AppLoadContext, into: Headers): void {
  for (const [name, value] of headersOfAnswer.get(context) ?? []) {
    if (name === 'set-cookie') into.append(name, value)
    else into.set(name, value)
  }
  headersOfAnswer.delete(context)
}

/** The time zone in which this reader sees and types times. */
export const readerZone = ({ request, context }: PageArgs) =>
  zoneOf(request.headers.get('cookie'), context.services.env.BUSINESS_TZ)

/** The visitor, for the domain's throttles, audit rows and emails. */
export function visitorOf({ request, context }: PageArgs) {
  return {
    ip: context.clientIp,
    userAgent: (request.headers.get('user-agent') ?? '').slice(0, 400),
    correlationId: context.correlationId,
  }
}

/** A signed-in person as the domain's actor. */
export function actorOf(args: PageArgs, session: PortalSession) {
  return {
    ...visitorOf(args),
    accountId: session.accountId,
    sessionId: session.id,
    authenticatedAt: session.authenticatedAt,
    textReview: textReviewOf(args.request),
    ...proofOfMfa(session),
  }
}

function proofOfMfa({ mfaState, mfaAt }: PortalSession) {
  if (mfaState === 'not_asked') return { mfa: 'not_asked' as const }
  return mfaAt ? { mfa: mfaAt } : {}
}

/**
 * Password and second step, both given in the last ten minutes: for what binds an organization or a practice.
 * @param back where the proof leads: this page, when left out
 * @returns the address of the page that asks for what is missing; null when nothing is
 */
export function findStepUp(args: PageArgs, session: PortalSession, back = here(args.request)): string | null {
  const missing = findMissingProof(actorOf(args, session), args.context.services.clock())
  if (missing === null) return null
  const places = proofPaths[session.realm as ProofRealm]
  // The second step's page asks for the password too, and leads back afterwards.
  return confirmPath(places.mfa, back)
}

/**
 * In an action: goes to the page that asks.
 * @throws a redirect unless both proofs are fresh
 */
export function requireStepUp(args: PageArgs, session: PortalSession): void {
  const path = findStepUp(args, session)
  if (path !== null) throw redirect(path)
}

/** The page that asks only for the password, for steps such as showing a sandbox key. */
export const confirmPasswordPath = ({ request }: PageArgs) =>
  confirmPath(paths.confirmPassword, here(request))

/** As `findStepUp`, for a key or secret: in the sandbox, the password is enough. */
export function findKeyStepUp(args: PageArgs, session: PortalSession, environment: 'sandbox' | 'production') {
  if (environment === 'production') return findStepUp(args, session)
  return args.context.services.sessions.isStepUpFresh(session) ? null : confirmPasswordPath(args)
}

const organizationCookieName = 'sandpiper-organization'

/**
 * The organization named by `params.organization`, with the member's session and actor.
 * @throws a 404 page when there is none or the person is not in it
 */
export async function getOrganization(args: PageArgs) {
  const session = await getSession(args, 'developer')
  const { organizations } = session
  const organization = organizations.find((each) => each.slug === args.params.organization)
  if (!organization) throw data({ shell: await readShell(args) }, { status: 404 })
  /** The member as most domain functions expect it. */
  const mine = { organizationId: organization.id, accountId: session.accountId }
  /** With the role that this request has read: for its page alone, never for what goes on after it. */
  const member = { ...mine, [roleRead]: organization.role }
  return { session, organizations, organization, actor: actorOf(args, session), mine, member }
}

/** The organization viewed last, or else the first; null before the first is created or joined. */
export function currentOrganization<T extends { slug: string }>(
  request: Request,
  organizations: readonly T[],
): T | null {
  const remembered = new RegExp(`(?:^|;\\s*)${organizationCookieName}=([a-z0-9-]{1,100})`).exec(
    request.headers.get('cookie') ?? '',
  )?.[1]
  return organizations.find((each) => each.slug === remembered) ?? organizations[0] ?? null
}

/** Set-Cookie that makes an organization the current one; null when it is already. */
export function currentOrganizationCookie(request: Request, slug: string): string | null {
  if (request.headers.get('cookie')?.includes(`${organizationCookieName}=${slug}`)) return null
  return `${organizationCookieName}=${slug}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly`
}

/** The data of the developers' frame, with the organization viewed last. */
export async function readShell(args: PageArgs) {
  const session = await getSession(args, 'developer')
  const { organizations } = session
  const current = currentOrganization(args.request, organizations)
  return {
    account: { name: session.account.name, email: session.account.email },
    organizations: organizations.map(({ slug, name }) => ({ slug, name })),
    organization: current && { slug: current.slug, name: current.name },
    inbox: await args.context.services.inbox.count({}, session),
  }
}
