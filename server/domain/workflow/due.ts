/**
 * Runs the steps of workflows that are due by time alone. Each row holds the date of its next due step. The tick takes
 * the rows whose date has come, the oldest first, makes their steps, and writes the next date. So every row gets its
 * turn however many there are, and a row without a due step costs nothing.
 */
import { Prisma, type PrismaClient } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/http/problems.ts'
import type { Core } from '../core.ts'

export type DueRule<Subject> = Readonly<{
  /** The date on which the step is due; null while it isn't. */
  at: (subject: Subject) => Date | null
  /** Makes the step in a transaction of its own. @returns false if there was nothing to do after all, else anything */
  act: (subject: Subject, now: Date) => Promise<unknown>
}>

export type DueSubjects<Subject> = Readonly<{
  table: 'production_key_request' | 'agreement' | 'registration' | 'sandbox_key_request'
  load: (db: Prisma.TransactionClient, id: string, now: Date) => Promise<Subject>
  /** If two rules are due at once, the first one runs; the second runs if it is still due afterwards. */
  rules: (subject: Subject) => readonly DueRule<Subject>[]
  /** Checks, before the rules, that the subject's preconditions still hold. @returns whether that changed it */
  recheck?: (subject: Subject) => Promise<boolean>
  /** The date of the next recheck, even if no rule is due. */
  lookAgainAt?: (subject: Subject, now: Date) => Date | null
}>

/** The rules of a state, from its table: a step that ends the state comes before a step within it. */
export function rulesOf<Name extends string, Subject>(
  rows: readonly Readonly<{ from: string | null; to: string | null; due?: Name }>[],
  state: string,
  rules: Readonly<Record<Name, DueRule<Subject>>>,
): readonly DueRule<Subject>[] {
  const outgoing = rows.filter(({ from }) => from === state)
  return [...outgoing.filter(({ to }) => to !== state), ...outgoing.filter(({ to }) => to === state)].flatMap(
    ({ due }) => (due === undefined ? [] : [rules[due]]),
  )
}

const batchSize = 500
const roundsMax = 50
/** A step that is due but can't be made now is retried after this: after a fault, a queued job, or a faster person. */
const retryMs = 60_000

/**
 * Makes all steps that are due.
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
    const rule = subjects.rules(subject).find((due) => !tried.has(due) && isDue(due.at(subject), now))
    if (!rule) break
    if (await attempt(async () => (await rule.act(subject, now)) !== false)) steps += 1
    else tried.add(rule)
    subject = await subjects.load(prisma, id, now)
  }
  return steps
}

/** The row is locked while its next date is computed, so that no concurrent change is missed. */
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

/** When the next reminder is due. @param days since a moment, one for each reminder; `sent` of them have gone out */
export function reminderAt(since: Date | null, days: readonly number[], sent: number): Date | null {
  const next = days[sent]
  return since === null || next === undefined ? null : new Date(since.getTime() + next * 86_400_000)
}

/** When the next reminder is due. @param days before the end, one for each reminder; `last` is the last one sent */
export function reminderBefore(end: Date | null, days: readonly number[], last: number | null): Date | null {
  const open = days.filter((day) => last === null || day < last)
  return end === null || open.length === 0 ? null : new Date(end.getTime() - Math.max(...open) * 86_400_000)
}

/** False if a person or another worker made a step first: theirs counts. */
async function attempt(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
    return false
  }
}
