/**
 * What time alone does to the subjects of workflows. Each row holds the date on which something is next due; the tick
 * takes those whose date has come, the oldest first, does what is due, and writes the next date. So a row has its turn
 * however many there are, and one that nothing is due for costs nothing.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/http/problems.ts'
import type { Core } from '../core.ts'

export type DueRule<Subject> = Readonly<{
  /** Null while nothing is to come. */
  at: (subject: Subject) => Date | null
  /** One step, in a transaction of its own. @returns false when there was nothing to do after all, else anything */
  act: (subject: Subject, now: Date) => Promise<unknown>
}>

export type DueSubjects<Subject> = Readonly<{
  table: 'production_key_request' | 'agreement' | 'registration' | 'sandbox_key_request'
  load: (db: Prisma.TransactionClient, id: string, now: Date) => Promise<Subject>
  /** Of two that are due at once the first is done, and the second when it is due all the same. */
  rules: (subject: Subject) => readonly DueRule<Subject>[]
  /** Holds it against what it stands on, at each look. @returns whether that changed it */
  recheck?: (subject: Subject) => Promise<boolean>
  /** When it is looked at again though nothing is due. */
  lookAgainAt?: (subject: Subject, now: Date) => Date | null
}>

/** The rules of a state, as its table has them: what ends the state comes before what happens within it. */
export function rulesOf<Name extends string, Subject>(
  rows: readonly Readonly<{ from: string | null; to: string | null; due?: Name }>[],
  state: string,
  rules: Readonly<Record<Name, DueRule<Subject>>>,
): readonly DueRule<Subject>[] {
  const own = rows.filter(({ from }) => from === state)
  return [...own.filter(({ to }) => to !== state), ...own.filter(({ to }) => to === state)].flatMap(
    ({ due }) => (due === undefined ? [] : [rules[due]]),
  )
}

const batchSize = 500
const roundsMax = 50
/** For what is due and cannot be done now: a fault, a job on its way, or a person who was faster. */
const retryMs = 60_000

/**
 * Everything that is due.
 * @param batch rows read at once
 * @returns steps made
 * @throws the first fault, after all other rows have had their turn
 */
export async function runDue<Subject>(
  { prisma, log }: Pick<Core, 'prisma' | 'log'>,
  subjects: DueSubjects<Subject>,
  now: Date,
  batch = batchSize,
): Promise<number> {
  const table = Prisma.raw(`portal.${subjects.table}`)
  let steps = 0
  let fault: unknown = null
  for (;;) {
    const due = await prisma.$queryRaw<{ id: string }[]>`
      SELECT id FROM ${table} WHERE next_action_at <= ${now} ORDER BY next_action_at, id LIMIT ${batch}`
    for (const { id } of due) {
      try {
        steps += await runOne(prisma, subjects, id, now)
      } catch (thrown) {
        log.error({ err: thrown, table: subjects.table, id }, 'a step that is due failed')
        fault ??= thrown
      }
      await settle(prisma, subjects, id, now)
    }
    if (due.length < batch) break
  }
  if (fault !== null) throw fault
  return steps
}

async function runOne<Subject>(prisma: PrismaClient, subjects: DueSubjects<Subject>, id: string, now: Date) {
  let subject = await subjects.load(prisma, id, now)
  let steps = 0
  if (await attempt(async () => (await subjects.recheck?.(subject)) ?? false)) {
    steps += 1
    subject = await subjects.load(prisma, id, now)
  }
  const tried = new Set<DueRule<Subject>>()
  for (let round = 0; round < roundsMax; round += 1) {
    const rule = subjects.rules(subject).find((each) => !tried.has(each) && isDue(each.at(subject), now))
    if (!rule) break
    if (await attempt(async () => (await rule.act(subject, now)) !== false)) steps += 1
    else tried.add(rule)
    subject = await subjects.load(prisma, id, now)
  }
  return steps
}

/** The date is worked out with the row locked: no change of it goes unseen. */
async function settle<Subject>(prisma: PrismaClient, subjects: DueSubjects<Subject>, id: string, now: Date) {
  const table = Prisma.raw(`portal.${subjects.table}`)
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM ${table} WHERE id = ${id}::uuid FOR UPDATE`
    const subject = await subjects.load(tx, id, now)
    const dates = subjects.rules(subject).map((rule) => rule.at(subject))
    const next = earliest([...dates, subjects.lookAgainAt?.(subject, now) ?? null])
    const nextActionAt = isDue(next, now) ? new Date(now.getTime() + retryMs) : next
    await tx.$executeRaw`UPDATE ${table} SET next_action_at = ${nextActionAt} WHERE id = ${id}::uuid`
  })
}

function isDue(at: Date | null, now: Date): boolean {
  return at !== null && at <= now
}

export function earliest(dates: readonly (Date | null)[]): Date | null {
  const times = dates.flatMap((date) => (date === null ? [] : [date.getTime()]))
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Of days since a moment, the first that the count of reminders has not reached. */
export function reminderAt(since: Date | null, days: readonly number[], sent: number): Date | null {
  const next = days[sent]
  return since === null || next === undefined ? null : new Date(since.getTime() + next * 86_400_000)
}

/** Of days before an end, the nearest one that is still to be told of, given the last that was. */
export function reminderBefore(end: Date | null, days: readonly number[], last: number | null): Date | null {
  const left = days.filter((day) => last === null || day < last)
  return end === null || left.length === 0 ? null : new Date(end.getTime() - Math.max(...left) * 86_400_000)
}

/** False when a person or another worker was faster: what they did counts. */
async function attempt(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
    return false
  }
}
