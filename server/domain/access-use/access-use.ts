/** How the keys and apps of a practice are used: by key, in detail, and as a report of a month. */
import { Problem } from '../../contract/http/problems.ts'
import { firstPage, type Listed, type PageAsk, pageOf } from '../../contract/portal/paging.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'
import { readDays } from './count-days.ts'
import { findNetworks } from './networks.ts'
import { describeUse, lastDays, readUse, type Use } from './read-use.ts'

export { forgetDays, keepDays } from './count-days.ts'
export { issueReport } from './issue-report.ts'
export { forgetNetwork, nameNetwork } from './networks.ts'

type Target = Readonly<{ practiceId: string; kind: string; id: string }>

/**
 * Of the last 30 days, the most calls first.
 * @throws Problem `not_found` for somebody who does not work there, `forbidden` for who is no admin there
 */
export async function list(
  core: Core,
  { practiceId, ask = firstPage }: Readonly<{ practiceId: string; ask?: PageAsk }>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<Listed<Use>> {
  await requirePracticeRole(core.prisma, { practiceId, accountId }, ['admin'])
  const used = await readUse(core, practiceId, lastDays(core))
  return pageOf(ask, used, ({ name, organizationName }) => [name, organizationName])
}

/** @throws Problem as `list`, and `not_found` for what was not used in these days */
export async function detail(
  core: Core,
  { practiceId, kind, id }: Target,
  { accountId }: Pick<Actor, 'accountId'>,
) {
  await requirePracticeRole(core.prisma, { practiceId, accountId }, ['admin'])
  const days = (await readDays(core, practiceId, lastDays(core))).filter(
    ({ subject }) => subject.kind === kind && subject.id === id,
  )
  const [use] = await describeUse(core, practiceId, days)
  if (!use) throw new Problem('not_found')
  return { use, days: days.map(({ day, figures }) => ({ day, figures })).reverse() }
}

/** Networks that have a name, for the page that changes them. @throws Problem as `list` */
export async function networks(core: Core, practiceId: string, { accountId }: Pick<Actor, 'accountId'>) {
  await requirePracticeRole(core.prisma, { practiceId, accountId }, ['admin'])
  return [...(await findNetworks(core, practiceId)).values()]
}
