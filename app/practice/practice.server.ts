/** The practice that a page of the console is about: of those where a person works, the one they looked at last. */
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/server-runtime'
import type { PracticeRole } from '../../server/domain/practices/practice-role.ts'
import type { Services } from '../../server/services.ts'
import { actorOf, getSession, here } from '../services.server.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs
type OwnPractices = Awaited<ReturnType<Services['practicePeople']['listForAccount']>>

const cookieName = 'sandpiper-chosen-practice'
const listed = new WeakMap<AppLoadContext, Promise<OwnPractices>>()

/** Those who answer for a practice; a clinician does not. */
export const decidingRoles: readonly PracticeRole[] = ['admin', 'signatory']

/** The practices of the signed-in person, read once per request. */
export async function listPractices(args: Args) {
  const session = await getSession(args, 'practice')
  const found =
    listed.get(args.context) ?? args.context.services.practicePeople.listForAccount(session.accountId)
  listed.set(args.context, found)
  return { session, practices: await found }
}

/**
 * The practice named by `practice` in the query; without it the one that was looked at last, else the first. A person
 * who works at several is led to the address that names it, so that a form is sent about the practice that was shown.
 * @param roles one of which the reader must have there
 * @returns null when the reader has none of the roles there, or at any practice
 */
export async function findPractice(args: Args, roles: readonly PracticeRole[]) {
  const { session, practices } = await listPractices(args)
  const fitting = practices.filter((each) => each.roles.some((role) => roles.includes(role)))
  const practice = chosenOf(args.request, fitting)
  if (practice && practices.length > 1 && args.request.method === 'GET' && !isNamed(args.request)) {
    const { pathname, searchParams } = new URL(here(args.request), 'https://here.invalid')
    searchParams.set('practice', practice.slug)
    throw redirect(`${pathname}?${searchParams}`)
  }
  return { session, actor: actorOf(args, session), practice }
}

/** As `findPractice`. @throws a 404 page where that finds none */
export async function getPractice(args: Args, roles: readonly PracticeRole[]) {
  const { practice, ...found } = await findPractice(args, roles)
  if (!practice) throw data({ message: 'Your role has no pages here.' }, { status: 404 })
  return { ...found, practice }
}

/** Of these practices; a name in the query that is none of them finds nothing. */
export function chosenOf(request: Request, practices: OwnPractices): OwnPractices[number] | null {
  const named = new URL(request.url).searchParams.get('practice')
  if (named !== null) return practices.find(({ slug }) => slug === named) ?? null
  const lastSlug = keptSlug(request)
  return practices.find(({ slug }) => slug === lastSlug) ?? practices[0] ?? null
}

export const isNamed = (request: Request) => new URL(request.url).searchParams.has('practice')

/** Set-Cookie that keeps the practice for the next pages; null when it is kept already. */
export function practiceCookie(request: Request, slug: string): string | null {
  if (keptSlug(request) === slug) return null
  return `${cookieName}=${slug}; Path=/practice; Max-Age=31536000; SameSite=Lax; HttpOnly`
}

function keptSlug(request: Request): string | undefined {
  return new RegExp(`(?:^|;\\s*)${cookieName}=([a-z0-9-]{1,100})(?:;|$)`).exec(
    request.headers.get('cookie') ?? '',
  )?.[1]
}
