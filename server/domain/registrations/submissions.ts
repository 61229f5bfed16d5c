/** The steps that developers make once the form is written: submit, answer, withdraw, appeal, reopen. */

import type { Registration } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { LintReport } from '../../contract/workflows/lint-findings.ts'
import { fieldLabels } from '../../contract/workflows/registration-form.ts'
import { registrationTimes } from '../../contract/workflows/registration-workflow.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { assigneeOfAnswer } from '../review-queue/assignee.ts'
import { dueOf } from './clocks.ts'
import * as linter from './lint/linter.ts'
import { findOwn } from './parties.ts'
import type { Target } from './registration-types.ts'
import {
  type AcceptedTerms,
  checkReviewText,
  checkTerms,
  dayMs,
  keepVersion,
  lastRound,
  refuseOtherOpen,
  requireComplete,
  resetSilence,
} from './steps.ts'
import { readForm } from './stored-form.ts'
import { type Context, type Effects, registrationKind, transition } from './transition.ts'

/**
 * Submits the saved form. If the linter finds errors, it stays a draft, the requester is notified, and the rule's clock
 * runs.
 * @param input.terms the terms that the requester accepted
 */
export async function submit(
  core: Core,
  { terms: accepted, ...target }: Target & Readonly<{ terms: Readonly<{ version: string; sha256: string }> }>,
  actor: Actor,
): Promise<Readonly<{ kind: 'submitted' }> | Readonly<{ kind: 'incomplete'; report: LintReport }>> {
  const { prisma } = core
  const row = target.read ?? (await findOwn(prisma, target.registrationId, actor))
  checkTerms(accepted, core.registrationTexts.terms())
  // The step is a conflict if the form was saved again since this version.
  const report = await linter.lint(core, readForm(row.form))
  if (report.complete) {
    await transition(core, { ...target, read: row }, 'submit', actor, {
      guards: { form_complete: () => requireComplete(report) },
      effects: (context) => submitComplete(context, actor, accepted),
    })
    return { kind: 'submitted' }
  }
  await transition(core, { ...target, read: row }, 'submit_incomplete', actor, {
    effects: (context) => noteIncomplete(context, report),
  })
  return { kind: 'incomplete', report }
}

function noteIncomplete({ tx, row, now }: Context, { findings }: LintReport): Effects<'submit_incomplete'> {
  const items = findings
    .filter(({ severity }) => severity === 'error')
    .slice(0, 40)
    .map(({ field, reason, fix }) => ({
      sentence: fieldLabels[field],
      text: `${reason} ${fix}`.slice(0, 2_000),
    }))
  return {
    data: { receivedAt: row.receivedAt ?? now, silentSince: now, reminders: 0 },
    detail: { findings: items.length },
    emails: async () => ({
      'registration-incomplete': {
        items,
        ruleDueAt: await dueOf(tx, row.id, ['authenticity', 'enablement']),
      },
    }),
  }
}

async function submitComplete({ tx, row, now }: Context, actor: Actor, accepted: AcceptedTerms) {
  const number = await keepVersion(tx, row.id, readForm(row.form), { by: actor.accountId, at: now })
  return {
    data: {
      ...submitted(number),
      receivedAt: row.receivedAt ?? now,
      termsVersion: accepted.version,
      termsSha256: accepted.sha256,
    },
    detail: { number, terms: accepted.version },
    emails: async () => ({
      'registration-received': {
        promiseDueAt: await dueOf(tx, row.id, ['promise']),
        ruleDueAt: await dueOf(tx, row.id, ['authenticity']),
      },
    }),
  }
}

/** Saves answers without submitting them; answers to other items stay. @returns the version to submit */
export async function answer(
  core: Core,
  {
    answers,
    ...target
  }: Target & Readonly<{ answers: readonly Readonly<{ itemId: string; text: string }>[] }>,
  actor: Actor,
): Promise<Readonly<{ version: number; read: Registration }>> {
  for (const { itemId, text } of answers) checkReviewText(`a-${itemId}`, text, actor)
  const { row: saved } = await transition(core, target, 'save', actor, {
    effects: async ({ tx, row, now }) => {
      const round = await lastRound(tx, row.id)
      for (const { itemId, text } of answers) {
        const { count } = await tx.registrationItem.updateMany({
          where: { id: itemId, registrationId: row.id, round },
          data: { answer: text.trim(), answeredAt: now, answeredById: actor.accountId },
        })
        if (count === 0) throw new Problem('not_found')
      }
      return { data: resetSilence(row, now), detail: { answers: answers.length } }
    },
  })
  return { version: saved.version, read: saved }
}

/** Submits the answers. @throws Problem `validation` while an item is open or the linter finds errors */
export async function resubmit(core: Core, target: Target, actor: Actor): Promise<void> {
  const { prisma } = core
  const read = target.read ?? (await findOwn(prisma, target.registrationId, actor))
  const { kind, form } = read
  const report = kind === 'app' || kind === 'change' ? await linter.lint(core, readForm(form)) : null
  await transition(core, { ...target, read }, 'resubmit', actor, {
    guards: {
      items_answered: async ({ tx, row }) => {
        const round = await lastRound(tx, row.id)
        const open = { registrationId: row.id, round, answeredAt: null }
        if ((await tx.registrationItem.count({ where: open })) > 0)
          throw new Problem('validation', { field: 'answer', message: 'Answer every item first.' })
        if (report) requireComplete(report)
      },
    },
    effects: async ({ tx, row, now }) => {
      const number = await keepVersion(tx, row.id, readForm(row.form), { by: actor.accountId, at: now })
      const claimedById = await assigneeOfAnswer({ tx, row }, registrationKind)
      return {
        data: { ...submitted(number), claimedById, claimedAt: claimedById && now },
        detail: { number },
        emails: async () => ({
          'registration-resubmitted': { promiseDueAt: await dueOf(tx, row.id, ['promise']) },
        }),
      }
    },
  })
}

export async function withdraw(core: Core, target: Target, actor: Actor): Promise<void> {
  await transition(core, target, 'withdraw', actor, {
    effects: ({ party, now }) => ({
      data: { endedAt: now, openForId: null, claimedById: null, claimedAt: null, probeDueAt: null },
      emails: () => ({ 'registration-withdrawn': { byName: party.name } }),
    }),
  })
}

/** Appeals within 30 days of a rejection; another reviewer decides. */
export async function appeal(
  core: Core,
  { text, ...target }: Target & Readonly<{ text: string }>,
  actor: Actor,
): Promise<void> {
  const words = checkReviewText('text', text, actor)
  await transition(core, target, 'appeal', actor, {
    guards: {
      appeal_in_time: async ({ tx, row, now }) => {
        if (isOver(row.rejectedAt, registrationTimes.appealDays, now))
          throw new Problem('conflict', { message: 'The 30 days for an appeal are over.' })
        await refuseOtherOpen(tx, row.parentId)
      },
    },
    effects: ({ tx, row }) => ({
      data: {
        rejectedAt: null,
        endedAt: null,
        claimedById: null,
        claimedAt: null,
        configuration: 'pending',
        checked: [],
        openForId: row.parentId,
        // Reviewers check a failed identity again; a verified one stays verified.
        ...(row.authenticity === 'failed' ? { authenticity: 'pending' } : {}),
      },
      text: words,
      emails: async () => ({
        'registration-appealed': { promiseDueAt: await dueOf(tx, row.id, ['promise']) },
      }),
    }),
  })
}

/** Opens a draft again that was withdrawn for silence. */
export async function reopen(core: Core, target: Target, actor: Actor): Promise<void> {
  await transition(core, target, 'reopen', actor, {
    guards: {
      reopen_in_time: async ({ tx, row, now }) => {
        if (isOver(row.endedAt, registrationTimes.reopenDays, now))
          throw new Problem('conflict', {
            message: 'It was withdrawn more than a year ago. Submit a new request.',
          })
        await refuseOtherOpen(tx, row.parentId)
      },
    },
    effects: ({ row }) => ({
      data: { endedAt: null, silentSince: null, reminders: 0, receivedAt: null, openForId: row.parentId },
    }),
  })
}

/** Reviewers check a submitted form again, and no longer wait for the developer. */
function submitted(submittedNumber: number) {
  return { submittedNumber, silentSince: null, reminders: 0, configuration: 'pending', checked: [] }
}

function isOver(since: Date | null, days: number, now: Date): boolean {
  return since === null || now.getTime() - since.getTime() > days * dayMs
}
