/** Finds the practice that a page of the console shows: one of the person's own, by default the last one viewed. */
import { type AppLoadContext, data, redirect } from '@remix-run/server-runtime'
import type { PracticeRole } from '../../server/domain/practices/practice-role.ts'
import type { Services } from '../../server/services.ts'
import { actorOf, getSession, here, type PageArgs } from '../services.server.ts'

type OwnPractices = Awaited<ReturnType<Services['practicePeople']['listForAccount']>>

const cookieName = 'sandpiper-chosen-practice'
const cache = new WeakMap<AppLoadContext, Promise<OwnPractices>>()

/** Roles that decide for a practice, which a clinician can't. */
export const decidingRoles: readonly PracticeRole[] = ['admin', 'signatory']

/** The practices of the signed-in person, read once per request. */
export async function listPractices(args: PageArgs) {
  const session = await getSession(args, 'practice')
  const practices =
    cache.get(args.context) ?? args.context.services.practicePeople.listForAccount(session.accountId)
  cache.set(args.context, practices)
  return { session, practices: await practices }
}

/**
 * The practice that `practice` in the query names; without it the one viewed last, else the first. A person who works
 * at several is redirected to a URL with that name, so that a form always applies to the practice that was shown.
 * @param roles the reader must have one of these at the practice
 * @returns `practice` null if the reader has none of the roles there, or at any practice
 */
export async function findPractice(args: PageArgs, roles: readonly PracticeRole[]) {
  const { session, practices } = await listPractices(args)
  const eligible = practices.filter((candidate) => candidate.roles.some((role) => roles.includes(role)))
  const practice = chosenOf(args.request, eligible)
  if (practice && practices.length > 1 && args.request.method === 'GET' && !isNamed(args.request)) {
    const { pathname, searchParams } = new URL(here(args.request), 'https://here.invalid')
    searchParams.set('practice', practice.slug)
    throw redirect(`${pathname}?${searchParams}`)
  }
  return { session, actor: actorOf(args, session), practice }
}

/** Like `findPractice`. @throws a 404 page if it finds none */
export async function getPractice(args: PageArgs, roles: readonly PracticeRole[]) {
  const { practice, ...context } = await findPractice(args, roles)
  if (!practice) throw data({ message: 'Your role has no pages here.' }, { status: 404 })
  return { ...context, practice }
}

/** The practice that the query or the cookie names, else the first; null if the query names one that is not listed. */
export function chosenOf(request: Request, practices: OwnPractices): OwnPractices[number] | null {
  const named = new URL(request.url).searchParams.get('practice')
  if (named !== null) return practices.find(({ slug }) => slug === named) ?? null
  const lastSlug = cookieSlug(request)
  return practices.find(({ slug }) => slug === lastSlug) ?? practices[0] ?? null
}

export const isNamed = (request: Request) => new URL(request.url).searchParams.has('practice')

/** A Set-Cookie header that remembers the practice; null if the cookie has it already. */
export function practiceCookie(request: Request, slug: string): string | null {
  if (cookieSlug(request) === slug) return null
  return `${cookieName}=${slug}; Path=/practice; Max-Age=31536000; SameSite=Lax; HttpOnly`
}

function cookieSlug(request: Request): string | undefined {
  return new RegExp(`(?:^|;\\s*)${cookieName}=([a-z0-9-]{1,100})(?:;|$)`).exec(
    request.headers.get('cookie') ?? '',
  )?.[1]
}
