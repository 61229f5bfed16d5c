/** The practice that a page of the console is about: of those somebody works at, the one they chose last. */
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import type { PracticeRole } from '../../server/domain/practices/practice-role.ts'
import { actorOf, getSession } from '../services.server.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

/**
 * @param roles one of which the reader must have there; the practice may be named by `practice` in the query
 * @throws a 404 page when the reader has none of the roles at any practice
 */
export async function getPractice(args: Args, roles: readonly PracticeRole[]) {
  const session = await getSession(args, 'practice')
  const own = await args.context.services.practicePeople.listForAccount(session.accountId)
  const fitting = own.filter((each) => each.roles.some((role) => roles.includes(role)))
  const asked = new URL(args.request.url).searchParams.get('practice')
  const practice = fitting.find(({ slug }) => slug === asked) ?? (asked === null ? fitting[0] : undefined)
  if (!practice) throw data({ message: 'There is nothing here for your role.' }, { status: 404 })
  return {
    session,
    actor: actorOf(args, session),
    account: { name: session.account.name, email: session.account.email },
    practice,
    practices: fitting.map(({ slug, name }) => ({ slug, name })),
  }
}
