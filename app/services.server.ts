/**
 * The portal's one door to the backend. Loaders and actions are made by `page`, which turns the
 * domain's refusals into pages and gives every fault the correlation id of its own request.
 */
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/server-runtime'
import { paths } from '../server/contract/paths.ts'
import { isProblem } from '../server/contract/problems.ts'
import type { Realm } from '../server/contract/realms.ts'
import type { Services } from '../server/services.ts'
import { reportFault } from './fault-report.ts'
import { localPath } from './local-path.ts'

declare module '@remix-run/server-runtime' {
  interface AppLoadContext {
    services: Services
    /** Of this answer's content security policy. */
    nonce: string
    correlationId: string
    clientIp: string
    /** Pages for development may answer: a request from this machine to itself, with the embedded database. */
    mayDevelop: boolean
    /** Where this page's forms may lead besides ourselves; the consent page adds the app's verified address. */
    formActions: string[]
  }
}

export type PortalSession = NonNullable<Awaited<ReturnType<Services['sessions']['read']>>>['session']
type Args = LoaderFunctionArgs | ActionFunctionArgs

const signInPaths: Record<Realm, string> = {
  developer: paths.signIn,
  staff: paths.staffSignIn,
  practice: paths.practiceSignIn,
  patient: paths.patientSignIn,
}

/** What a thrown answer carries to the error page. */
export interface Fault {
  correlationId: string
  at: string
  message?: string
}

/**
 * Wraps a loader or action: a `Problem` becomes an answer with its status and public sentence,
 * want of a database connection a 503; anything else is logged and becomes a 500 that shows nothing but the
 * correlation id.
 */
export function page<A extends Args, R>(handler: (args: A) => Promise<R> | R): (args: A) => Promise<R> {
  return async (args) => {
    try {
      return await handler(args)
    } catch (thrown) {
      if (thrown instanceof Response || isDataAnswer(thrown)) throw thrown
      const { correlationId, services } = args.context
      const fault: Fault = { correlationId, at: services.clock().toISOString() }
      const cause = services.asProblem(thrown)
      if (isProblem(cause) && cause.status < 500) {
        throw data({ ...fault, message: cause.message }, { status: cause.status })
      }
      reportFault(cause, 'a page failed', { log: services.log, request: args.request, correlationId })
      throw data(fault, { status: isProblem(cause) ? cause.status : 500 })
    }
  }
}

/** `data(…)` is thrown as an object of Remix's own, told apart by its type tag. */
function isDataAnswer(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'type' in thrown &&
    thrown.type === 'DataWithResponseInit'
  )
}

const sessionsOfRequest = new WeakMap<AppLoadContext, Map<Realm, Promise<PortalSession | null>>>()
const cookiesOfAnswer = new WeakMap<AppLoadContext, string[]>()

/** The session of a realm, read once per request however many loaders ask. */
export function findSession({ request, context }: Args, realm: Realm): Promise<PortalSession | null> {
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
export async function getSession(args: Args, realm: Realm): Promise<PortalSession> {
  const session = await findSession(args, realm)
  if (session && session.secondFactor !== 'needed') return session
  const stop = session ? paths.staffSecondStep : signInPaths[realm]
  throw redirect(`${stop}?${new URLSearchParams({ next: here(args.request) })}`)
}

/** The session whose second step is still to come; a redirect where there is none, or nothing left to do. */
export async function getSessionBeforeSecondStep(args: Args, realm: Realm): Promise<PortalSession> {
  const session = await findSession(args, realm)
  if (session?.secondFactor === 'needed') return session
  await getSession(args, realm)
  throw redirect(localPath(new URL(args.request.url).searchParams.get('next'), '/staff'))
}

/** The page's own path and query; for an action, the page it was sent from. */
export function here(request: Request): string {
  const url = new URL(request.url)
  return localPath(url.pathname.replace(/\.data$/, '') + url.search)
}

/** Queues a Set-Cookie for this answer; entry.server writes it. A redirect must carry its own. */
export function setCookie(context: AppLoadContext, cookie: string): void {
  cookiesOfAnswer.set(context, [...(cookiesOfAnswer.get(context) ?? []), cookie])
}

/** The queued cookies, emptied. */
export function takeCookies(context: AppLoadContext): string[] {
  const cookies = cookiesOfAnswer.get(context) ?? []
  cookiesOfAnswer.delete(context)
  return cookies
}

/** Who asks, as the domain's throttles, audit rows and mails want it. */
export function visitorOf({ request, context }: Args) {
  return {
    ip: context.clientIp,
    userAgent: (request.headers.get('user-agent') ?? '').slice(0, 400),
    correlationId: context.correlationId,
  }
}

/** A signed-in person as the domain's actor. */
export function actorOf(args: Args, session: PortalSession) {
  return {
    ...visitorOf(args),
    accountId: session.accountId,
    sessionId: session.id,
    authenticatedAt: session.authenticatedAt,
  }
}
