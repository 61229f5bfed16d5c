/** Signing in as a person of a demonstration without a password: for the tour, on the machine that runs it. */
import { type TourStopId, tour } from '../../contract/lab/tour.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import { accountState } from './account-state.ts'
import { openSession } from './open-session.ts'

/**
 * Whether the request came from this machine is the caller's to ask: see http/development-pages.ts.
 * @returns the session's cookie; null where there is no such demonstration account
 */
export async function signInAtTour(
  core: Core,
  { person }: { person: TourStopId },
  context: Context,
): Promise<string | null> {
  const { prisma, env, log } = core
  if (!env.developmentPages) return null
  const { realm, email } = tour[person]
  const account = await prisma.account.findUnique({ where: { realm_email: { realm, email } } })
  if (!account?.isDemo || accountState(account) === 'disabled') return null
  const cookie = await prisma.$transaction((tx) =>
    openSession(core, tx, account, context, undefined, { tour: true }),
  )
  log.info({ realm, outcome: 'tour', correlationId: context.correlationId }, 'sign-in')
  return cookie
}
