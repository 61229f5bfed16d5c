/** The steps that reviewers make; each is about one registration. */
import { Prisma, type Registration } from '../../../prisma/generated/client/client.ts'
import { textFieldOf } from '../../contract/forms/review.ts'
import { Problem } from '../../contract/http/problems.ts'
import {
  checksOf,
  configurationChecks,
  type InfoReason,
  infoReasons,
  type RegistrationCheckId,
  type RejectionReason,
  registrationChecks,
  rejectionReasons,
} from '../../contract/workflows/registration-checks.ts'
import { type RegistrationKind, registrationTimes } from '../../contract/workflows/registration-workflow.ts'
import { requireMfa } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import {
  checkCodes,
  checkQuestions,
  proposalOf,
  requireClaim,
  requireNoProposal,
  requireProposal,
  requireSecondReviewer,
  requireUnclaimed,
} from '../review-queue/assignee.ts'
import { requireStaff } from '../staff.ts'
import { changedSince } from './check-fields.ts'
import { dueOf } from './clocks.ts'
import type { Target } from './registration-types.ts'
import { checkReviewText, dayMs, lastRound } from './steps.ts'
import { type Context, type Effects, transition } from './transition.ts'

/** Claims it for the reviewer, even from a colleague. */
export async function claim(core: Core, target: Target, actor: Actor): Promise<void> {
  await transition(core, target, 'claim', actor, {
    guards: {
      not_claimed_already: ({ row }) => requireUnclaimed(row, actor),
    },
    effects: ({ row, now }) => ({
      data: { claimedById: actor.accountId, claimedAt: now },
      detail: { before: row.claimedById },
    }),
  })
}

export async function verifyAuthenticity(
  core: Core,
  { evidence, ...target }: Target & Readonly<{ evidence: string }>,
  actor: Actor,
): Promise<void> {
  const words = checkReviewText('evidence', evidence, actor)
  await transition(core, target, 'verify_authenticity', actor, {
    guards: {
      identity_open: ({ row }) => {
        if (row.receivedAt === null) throw new Problem('conflict', { message: 'It was never submitted.' })
        if (row.authenticity === 'verified')
          throw new Problem('conflict', { message: 'It has already been verified.' })
      },
    },
    effects: ({ tx, row }) => ({
      data: { authenticity: 'verified' },
      text: words,
      emails: async () => ({
        'registration-authenticity': { ruleDueAt: await dueOf(tx, row.id, ['enablement']) },
      }),
    }),
  })
}

/** Every check of the configuration that applies to this kind of request must be ticked. */
export async function validateConfiguration(
  core: Core,
  { checked, ...target }: Target & Readonly<{ checked: readonly string[] }>,
  actor: Actor,
): Promise<void> {
  await transition(core, target, 'validate_configuration', actor, {
    guards: {
      all_ticked: ({ row }) => {
        requireClaim(row, actor)
        const missing = neededChecks(row.kind as RegistrationKind).find((id) => !checked.includes(id))
        if (missing)
          throw new Problem('validation', {
            field: 'checked',
            message: `Not checked off: ${registrationChecks[missing].title}.`,
          })
      },
    },
    effects: ({ row }) => {
      const needed = [...neededChecks(row.kind as RegistrationKind)]
      return { data: { configuration: 'valid', checked: needed }, detail: { checked: needed } }
    },
  })
}

/** Sends all questions at once: one that could have been raised earlier does not pause the clock. */
export async function requestInfo(
  core: Core,
  { items, ...target }: Target & Readonly<{ items: readonly Readonly<{ code: string; text: string }>[] }>,
  actor: Actor,
): Promise<void> {
  const questions = checkQuestions(items, infoReasons, (code, comment) =>
    checkReviewText(textFieldOf(code), comment, actor),
  )
  await transition(core, target, 'request_info', actor, {
    guards: {
      items_of_kind: ({ row }) => {
        requireClaim(row, actor)
        const checks = checksOf(row.kind as RegistrationKind)
        if (questions.some(({ code }) => !checks.includes(infoReasons[code].check)))
          throw new Problem('validation', {
            field: 'items',
            message: 'This check doesn’t apply to this kind of request.',
          })
      },
    },
    effects: (context) => storeQuestions(context, questions, actor),
  })
}

async function storeQuestions(
  { tx, row, now }: Context,
  questions: readonly { code: InfoReason; text: string }[],
  actor: Actor,
): Promise<Effects<'request_info'>> {
  const round = (await lastRound(tx, row.id)) + 1
  const visibleEarlier = await findVisible(tx, row, questions)
  for (const { code, text } of questions)
    await tx.registrationItem.create({
      data: {
        registrationId: row.id,
        round,
        code,
        text,
        visibleEarlier: visibleEarlier.has(code),
        askedAt: now,
        askedById: actor.accountId,
      },
    })
  const clockRuns = questions.every(({ code }) => visibleEarlier.has(code))
  const questionsConfiguration = questions.some(
    ({ code }) => registrationChecks[infoReasons[code].check].part === 'configuration',
  )
  const lapsesAt = new Date(now.getTime() + registrationTimes.silentDaysMax * dayMs).toISOString()
  const listed = questions.map(({ code, text }) => ({ sentence: infoReasons[code].sentence, text }))
  return {
    data: {
      silentSince: now,
      reminders: 0,
      claimedById: null,
      claimedAt: null,
      proposal: Prisma.DbNull,
      ...(questionsConfiguration ? { configuration: 'invalid', checked: [] } : {}),
    },
    codes: questions.map(({ code }) => code),
    detail: { round, oneBite: clockRuns },
    emails: () => ({ 'registration-needs-info': { items: listed, clockRuns, lapsesAt } }),
  }
}

/**
 * Finds the questions that reviewers could have raised in the first round: their fields have not changed since. They do
 * not pause the clock.
 */
async function findVisible(
  tx: Prisma.TransactionClient,
  row: Context['row'],
  questions: readonly { code: InfoReason }[],
): Promise<ReadonlySet<InfoReason>> {
  const earlier = await tx.registrationItem.findFirst({
    where: { registrationId: row.id },
    orderBy: { askedAt: 'asc' },
  })
  if (!earlier) return new Set()
  const versions = await tx.registrationVersion.findMany({
    where: { registrationId: row.id },
    orderBy: { number: 'asc' },
  })
  const before = versions.filter(({ at }) => at <= earlier.askedAt).at(-1)
  const now = versions.at(-1)
  return new Set(
    questions
      .map(({ code }) => code)
      .filter((code) => !changedSince(before?.form, now?.form, infoReasons[code].check)),
  )
}

export async function approve(
  core: Core,
  { text, ...target }: Target & Readonly<{ text?: string }>,
  actor: Actor,
): Promise<void> {
  const { jobs } = core
  const words = text ? checkReviewText('text', text, actor) : null
  await transition(core, target, 'approve', actor, {
    guards: { ready: ({ row }) => requireReady(row, actor) },
    effects: async ({ tx, row, now }) => {
      await jobs.add(tx, 'enable-registration', { registrationId: row.id }, { jobKey: `enable:${row.id}` })
      return {
        data: { probeAttempts: 0, probeDueAt: now, probeFailure: null },
        text: words,
        detail: { version: row.submittedNumber },
      }
    },
  })
}

export async function proposeRejection(
  core: Core,
  { codes, text, ...target }: Target & Readonly<{ codes: readonly string[]; text: string }>,
  actor: Actor,
): Promise<void> {
  const words = checkReviewText('text', text, actor)
  const codesOf = ({ kind }: Pick<Registration, 'kind'>) => {
    const checks = checksOf(kind as RegistrationKind)
    const listed = Object.keys(rejectionReasons) as RejectionReason[]
    return checkCodes(
      codes,
      listed.filter((code) => checks.includes(rejectionReasons[code].check)),
    )
  }
  await transition(core, target, 'propose_rejection', actor, {
    guards: {
      no_rejection_proposed: ({ row }) => {
        requireClaim(row, actor)
        codesOf(row)
        requireNoProposal(row)
      },
    },
    effects: (context) => {
      const proposal = proposalOf(actor, context, { codes: codesOf(context.row), text: words })
      return { data: { proposal }, codes: proposal.codes, text: words }
    },
  })
}

export async function dismissRejection(
  core: Core,
  { text, ...target }: Target & Readonly<{ text: string }>,
  actor: Actor,
): Promise<void> {
  const words = checkReviewText('text', text, actor)
  await transition(core, target, 'dismiss_rejection', actor, {
    guards: { rejection_proposed: ({ row }) => void requireProposal(row) },
    effects: () => ({ data: { proposal: Prisma.DbNull }, text: words }),
  })
}

/** Confirms a proposed rejection; for a second reviewer. */
export async function reject(core: Core, target: Target, actor: Actor): Promise<void> {
  await transition(core, target, 'reject', actor, {
    guards: {
      second_reviewer: ({ row }) => requireSecondReviewer(row, actor),
    },
    effects: (context) => rejected(context, actor),
  })
}

/** Adds a note that developers never see. */
export async function note(
  { prisma, clock, portalAudit }: Core,
  { registrationId, text }: Readonly<{ registrationId: string; text: string }>,
  actor: Actor,
): Promise<void> {
  await requireStaff(prisma, actor, ['reviewer', 'ops'])
  requireMfa(actor)
  const words = checkReviewText('text', text, actor)
  const row = await prisma.registration.findUnique({
    where: { id: registrationId },
    select: { organizationId: true },
  })
  if (!row) throw new Problem('not_found')
  await prisma.$transaction(async (tx) => {
    const created = await tx.registrationNote.create({
      data: { registrationId, byId: actor.accountId, text: words, at: clock() },
      select: { id: true },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId: row.organizationId,
      action: 'registration.note_added',
      subject: { kind: 'registration', id: registrationId },
      detail: { note: String(created.id) },
    })
  })
}

function rejected({ row, now }: Context, actor: Actor): Effects<'reject'> {
  const { byId, codes, text } = requireProposal(row)
  const known = codes.filter((code): code is RejectionReason => Object.hasOwn(rejectionReasons, code))
  const failed = known.some(
    (code) => registrationChecks[rejectionReasons[code].check].part === 'authenticity',
  )
  const items = known.map((code) => ({
    sentence: rejectionReasons[code].sentence,
    text: rejectionReasons[code].template,
  }))
  const appealUntil = new Date(now.getTime() + registrationTimes.appealDays * dayMs).toISOString()
  return {
    data: {
      rejectedAt: now,
      endedAt: now,
      openForId: null,
      proposal: Prisma.DbNull,
      claimedById: null,
      claimedAt: null,
      excludedIds: [...new Set([...row.excludedIds, byId, actor.accountId])],
      ...(failed ? { authenticity: 'failed' } : { configuration: 'invalid' }),
    },
    codes,
    text,
    detail: { proposedBy: byId },
    emails: () => ({ 'registration-rejected': { items, text, appealUntil } }),
  }
}

/** @throws Problem `conflict`, naming what is missing */
function requireReady(row: Registration, actor: Actor): void {
  requireClaim(row, actor)
  if (row.authenticity !== 'verified')
    throw new Problem('conflict', { message: 'Verify the organization first.' })
  if (row.configuration !== 'valid')
    throw new Problem('conflict', { message: 'Check the configuration first.' })
  if (row.proposal !== null)
    throw new Problem('conflict', { message: 'A rejection has been proposed. Dismiss it first.' })
}

/** The checks of the configuration that apply to a kind of request. */
function neededChecks(kind: RegistrationKind): readonly RegistrationCheckId[] {
  return checksOf(kind).filter((id) => configurationChecks.includes(id))
}
