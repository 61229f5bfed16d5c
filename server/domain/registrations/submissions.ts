/** What a developer does with a registration once it is written: hands it in, answers, withdraws, appeals. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { LintReport } from '../../contract/lint-findings.ts'
import { Problem } from '../../contract/problems.ts'
import { reviewTextLength } from '../../contract/registration-checks.ts'
import { fieldLabels } from '../../contract/registration-form.ts'
import { registrationTimes } from '../../contract/registration-workflow.ts'
import type { Actor } from '../actor.ts'
import { type Author, checkText } from '../text-scan/check-text.ts'
import { heard } from './drafts.ts'
import { aboutOf, findReaders } from './mail-props.ts'
import type { Registrations, Target } from './registration-types.ts'
import type { RegistrationRooms } from './rooms.ts'
import { readForm, toStored } from './stored-form.ts'
import type { StepCase, StepWork } from './walk.ts'

const dayMs = 86_400_000

type Submissions = Pick<Registrations, 'submit' | 'answer' | 'resubmit' | 'withdraw' | 'appeal' | 'reopen'>

export function createSubmissions(rooms: RegistrationRooms): Submissions {
  const { walk, linter, terms, findOwn } = rooms

  const submit: Submissions['submit'] = async ({ terms: accepted, ...target }, actor) => {
    const row = await findOwn(target.registrationId, actor)
    const present = terms.current()
    if (accepted.version !== present.version || accepted.sha256 !== present.sha256)
      throw new Problem('validation', {
        field: 'terms',
        message: 'The terms have changed. Read and accept the present ones.',
      })
    const report = await linter.lint(readForm(row.form))
    // What was looked at is what is handed in.
    const looked = { ...target, version: row.version === target.version ? row.version : target.version }
    if (!report.complete) {
      await walk.step(looked, 'submit_incomplete', actor, (of) => noteIncomplete(of, report))
      return { kind: 'incomplete', report }
    }
    await walk.step(looked, 'submit', actor, (of) => handIn(of, actor, accepted))
    return { kind: 'submitted' }
  }

  function noteIncomplete({ tx, row, now }: StepCase, report: LintReport): StepWork {
    const items = report.findings
      .filter(({ severity }) => severity === 'error')
      .slice(0, 40)
      .map(({ field, reason, fix }) => ({
        sentence: fieldLabels[field],
        text: `${reason} ${fix}`.slice(0, 2_000),
      }))
    return {
      data: { receivedAt: row.receivedAt ?? now, silentSince: now, reminders: 0 },
      detail: { findings: items.length },
      mails: async () => {
        if (items.length === 0) return []
        const about = await aboutOf(tx, row)
        const ruleDueAt = await dueOf(tx, row.id, ['authenticity', 'enablement'])
        return (await findReaders(tx, row)).map((reader) => ({
          template: 'registration-incomplete' as const,
          to: reader.email,
          props: { ...about(reader), items, ruleDueAt },
        }))
      },
    }
  }

  async function handIn(
    { tx, row, now }: StepCase,
    actor: Actor,
    accepted: { version: string; sha256: string },
  ): Promise<StepWork> {
    const number = await keepVersion(tx, row.id, readForm(row.form), { by: actor.accountId, at: now })
    return {
      data: {
        receivedAt: row.receivedAt ?? now,
        silentSince: null,
        reminders: 0,
        submittedNumber: number,
        configuration: 'pending',
        checked: [],
        termsVersion: accepted.version,
        termsSha256: accepted.sha256,
      },
      detail: { number, terms: accepted.version },
      mails: () => receivedMails(tx, row),
    }
  }

  const answer: Submissions['answer'] = async ({ answers, ...target }, actor) => {
    for (const { itemId, text } of answers) checkWords(`a-${itemId}`, text, actor)
    await walk.step(target, 'save', actor, async ({ tx, row, now }) => {
      for (const { itemId, text } of answers) {
        const { count } = await tx.registrationItem.updateMany({
          where: { id: itemId, registrationId: row.id, round: await lastRound(tx, row.id) },
          data: { answer: text.trim(), answeredAt: now, answeredById: actor.accountId },
        })
        if (count === 0) throw new Problem('not_found')
      }
      return { data: heard(row, now), detail: { answers: answers.length } }
    })
  }

  const resubmit: Submissions['resubmit'] = async (target, actor) => {
    const present = await findOwn(target.registrationId, actor)
    const report =
      present.kind === 'app' || present.kind === 'change' ? await linter.lint(readForm(present.form)) : null
    await walk.step({ ...target, version: target.version }, 'resubmit', actor, async ({ tx, row, now }) => {
      const open = await tx.registrationItem.count({
        where: { registrationId: row.id, round: await lastRound(tx, row.id), answeredAt: null },
      })
      if (open > 0) throw new Problem('validation', { field: 'answer', message: 'Answer every item first.' })
      if (report && !report.complete) {
        const [first] = report.findings.filter(({ severity }) => severity === 'error')
        throw new Problem('validation', {
          field: first?.field ?? 'form',
          message: first ? `${first.reason} ${first.fix}` : 'The form could not be looked at. Try again.',
        })
      }
      const number = await keepVersion(tx, row.id, readForm(row.form), { by: actor.accountId, at: now })
      return {
        data: {
          silentSince: null,
          reminders: 0,
          submittedNumber: number,
          configuration: 'pending',
          checked: [],
        },
        detail: { number },
        mails: async () => {
          const about = await aboutOf(tx, row)
          const promiseDueAt = await dueOf(tx, row.id, ['promise'])
          return (await findReaders(tx, row)).map((reader) => ({
            template: 'registration-resubmitted' as const,
            to: reader.email,
            props: { ...about(reader), promiseDueAt },
          }))
        },
      }
    })
  }

  const withdraw: Submissions['withdraw'] = async (target, actor) => {
    await walk.step(target, 'withdraw', actor, ({ tx, row, party, now }) => ({
      data: { endedAt: now, openForId: null, claimedById: null, claimedAt: null, probeDueAt: null },
      mails: async () => {
        const about = await aboutOf(tx, row)
        return (await findReaders(tx, row)).map((reader) => ({
          template: 'registration-withdrawn' as const,
          to: reader.email,
          props: { ...about(reader), byName: party.name },
        }))
      },
    }))
  }

  const appeal: Submissions['appeal'] = async ({ text, ...target }, actor) => {
    checkWords('text', text, actor)
    await walk.step(target, 'appeal', actor, async ({ tx, row, now }) => {
      if (!row.rejectedAt || now.getTime() - row.rejectedAt.getTime() > registrationTimes.appealDays * dayMs)
        throw new Problem('conflict', { message: 'The 30 days for an appeal are over.' })
      await refuseOtherOpen(tx, row.parentId)
      return {
        data: {
          rejectedAt: null,
          endedAt: null,
          claimedById: null,
          claimedAt: null,
          configuration: 'pending',
          checked: [],
          openForId: row.parentId,
          // A failed identity is looked at anew; one that was verified stays so.
          ...(row.authenticity === 'failed' ? { authenticity: 'pending' } : {}),
        },
        text: text.trim(),
        mails: async () => {
          const about = await aboutOf(tx, row)
          const promiseDueAt = await dueOf(tx, row.id, ['promise'])
          return (await findReaders(tx, row)).map((reader) => ({
            template: 'registration-appealed' as const,
            to: reader.email,
            props: { ...about(reader), promiseDueAt },
          }))
        },
      }
    })
  }

  const reopen: Submissions['reopen'] = async (target: Target, actor) => {
    await walk.step(target, 'reopen', actor, async ({ tx, row, now }) => {
      if (!row.endedAt || now.getTime() - row.endedAt.getTime() > registrationTimes.reopenDays * dayMs)
        throw new Problem('conflict', {
          message: 'It was withdrawn more than a year ago. Make a new request.',
        })
      await refuseOtherOpen(tx, row.parentId)
      return {
        data: { endedAt: null, silentSince: null, reminders: 0, receivedAt: null, openForId: row.parentId },
      }
    })
  }

  async function receivedMails(tx: Prisma.TransactionClient, row: StepCase['row']) {
    const about = await aboutOf(tx, row)
    const promiseDueAt = await dueOf(tx, row.id, ['promise'])
    const ruleDueAt = await dueOf(tx, row.id, ['authenticity'])
    return (await findReaders(tx, row)).map((reader) => ({
      template: 'registration-received' as const,
      to: reader.email,
      props: { ...about(reader), promiseDueAt, ruleDueAt },
    }))
  }

  return { submit, answer, resubmit, withdraw, appeal, reopen }
}

/** Of a clock that runs; null when none does. */
export async function dueOf(
  tx: Prisma.TransactionClient,
  registrationId: string,
  kinds: readonly string[],
): Promise<string | null> {
  const clock = await tx.registrationClock.findFirst({
    where: { registrationId, kind: { in: [...kinds] }, stoppedAt: null, pausedOn: null },
    orderBy: { startedAt: 'desc' },
  })
  return clock?.dueAt.toISOString() ?? null
}

export async function lastRound(tx: Prisma.TransactionClient, registrationId: string): Promise<number> {
  const last = await tx.registrationItem.findFirst({
    where: { registrationId },
    orderBy: { round: 'desc' },
    select: { round: true },
  })
  return last?.round ?? 0
}

/** @returns the number that the version got */
export async function keepVersion(
  tx: Prisma.TransactionClient,
  registrationId: string,
  form: ReturnType<typeof readForm>,
  { by, at }: { by: string; at: Date },
): Promise<number> {
  const last = await tx.registrationVersion.findFirst({
    where: { registrationId },
    orderBy: { number: 'desc' },
    select: { number: true },
  })
  const number = (last?.number ?? 0) + 1
  await tx.registrationVersion.create({
    data: { registrationId, number, form: toStored(form), byId: by, at },
  })
  return number
}

/** One change of an app at a time. */
export async function refuseOtherOpen(tx: Prisma.TransactionClient, parentId: string | null): Promise<void> {
  if (parentId === null) return
  if (await tx.registration.findUnique({ where: { openForId: parentId }, select: { id: true } }))
    throw new Problem('conflict', { message: 'Another change of this app is open.' })
}

/** @throws Problem `validation` */
export function checkWords(field: string, text: string, author: Author): string {
  const words = text.trim()
  const { min, max } = reviewTextLength
  if (words.length < min || words.length > max)
    throw new Problem('validation', {
      field,
      message: `Use ${min} to ${max.toLocaleString('en-US')} characters.`,
    })
  checkText(field, words, author)
  return words
}
