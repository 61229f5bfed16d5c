/** The use of a practice's keys and apps: figures, networks, refusals and days. */
import { Problem } from '../../contract/http/problems.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'
import { readDays } from './count-days.ts'
import { describeUse, lastDays } from './read-use.ts'

export { forgetDays, keepDays } from './count-days.ts'

type Target = Readonly<{ practiceId: string; kind: string; id: string }>

/**
 * The use of one key or app in the last 30 days. @throws Problem `not_found` if it was not used, or the reader does not
 * work there; `forbidden` unless the reader is an admin there
 */
export async function detail(
  core: Core,
  { practiceId, kind, id }: Target,
  { accountId }: Pick<Actor, 'accountId'>,
) {
  await requirePracticeRole(core.prisma, { practiceId, accountId }, ['admin'])
  const days = (await readDays(core, practiceId, lastDays(core))).filter(
    ({ subject }) => subject.kind === kind && subject.id === id,
  )
  const [use] = await describeUse(core, days)
  if (!use) throw new Problem('not_found')
  return { use, days: days.map(({ day, figures }) => ({ day, figures })).reverse() }
}
