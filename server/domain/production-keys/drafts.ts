/** The steps of developers before the practice has answered: create, save, submit, invite again, withdraw. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import type { ProductionPartial } from '../../contract/forms/production-keys.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import {
  diffProductionDrafts,
  findProductionLacks,
  type ProductionField,
  productionFieldLabels,
} from '../../contract/workflows/production-key-steps.ts'
import {
  productionKeyTimes,
  productionKeyWorkflow,
} from '../../contract/workflows/production-key-workflow.ts'
import { securityProfile } from '../../contract/workflows/security-questions.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Actor } from '../actor.ts'
import { withdrawOpen } from '../agreements/agreements.ts'
import type { Core } from '../core.ts'
import { requireRole } from '../organizations/membership.ts'
import { findPracticePeople } from '../practices/practice-role.ts'
import { checkTexts } from '../text-scan/check-text.ts'
import { uuidOf } from '../uuid-of.ts'
import { transact } from '../workflow/engine.ts'
import { begin, type RequestTarget, transition } from './transition.ts'

const dayMs = 86_400_000
const { sponsorDays, reinvitesMax } = productionKeyTimes

type FoundPractice = Readonly<{ id: string; slug: string; name: string }>

/**
 * Finds a practice by its login slug, as the public status API does.
 * @throws Problem `validation` on the field if the practice is unknown, is suspended, or has no admin who could confirm
 */
export async function findPractice({ practiceStatus, prisma }: Core, slug: string): Promise<FoundPractice> {
  const refuse = (message: string) => new Problem('validation', { field: 'practiceSlug', message })
  const status = await practiceStatus(slug)
  if (!status.found)
    throw refuse('No practice has this login slug. Ask the practice which name its staff sign in with.')
  if (status.status === 'suspended')
    throw refuse(`${status.name} is currently suspended. It can’t sponsor a key.`)
  const practice = await prisma.practice.findFirst({
    where: { slug: status.practiceId, environment: 'production', state: 'active' },
    select: { id: true, slug: true, name: true },
  })
  if (!practice) throw refuse('No practice has this login slug.')
  if ((await findPracticePeople(prisma, practice.id, ['admin'])).length === 0)
    throw refuse(`${practice.name} has no admin on file with us. Ask the practice to name one.`)
  return practice
}

/**
 * Creates a draft. Fields may be empty, but not invalid. The same form sent twice creates one draft.
 * @throws Problem `not_found`, `forbidden`, `conflict` (no domain confirmed), `validation`
 */
export async function create(
  core: Core,
  input: { organizationId: string; draft: ProductionPartial; idempotencyKey: string },
  actor: Actor,
): Promise<{ requestId: string }> {
  const { prisma, clock } = core
  const { organizationId, draft } = input
  checkDraftTexts(draft, actor)
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, ['admin', 'owner'])
  const practice = await findPractice(core, draft.practiceSlug)
  const requestId = uuidOf(`${organizationId} ${actor.accountId} ${input.idempotencyKey}`)
  const state = productionKeyWorkflow.next(null, 'create', 'admin')
  try {
    await transact(core, async (tx) => {
      const now = clock()
      await begin(core, tx, 'create', {
        guards: { domain_verified: () => requireDomain(tx, organizationId) },
        make: async () => {
          await refuseStranger(tx, organizationId, draft.signatoryId)
          return tx.productionKeyRequest.create({
            data: {
              ...columnsOf(draft),
              id: requestId,
              organizationId,
              practiceId: practice.id,
              requestedById: actor.accountId,
              state,
              createdAt: now,
              updatedAt: now,
            },
          })
        },
        party: { kind: 'admin', accountId: actor.accountId },
        actor,
        now,
      })
    })
  } catch (thrown) {
    if (!isUniqueViolation(thrown)) throw thrown
  }
  return { requestId }
}

/**
 * Saves the changed fields of a draft; the others stay. A save without a change makes no step.
 * @throws Problem `not_found`, `forbidden`, `conflict` (another person saved meanwhile), `validation`
 */
export async function save(
  core: Core,
  { changes, ...target }: RequestTarget & { changes: Partial<ProductionPartial> },
  actor: Actor,
): Promise<{ version: number }> {
  const row = await findOwn(core, target.requestId, actor)
  const stored = draftOf(row)
  const isNew = diffProductionDrafts(stored, { ...stored, ...changes }).length > 0
  if (!isNew && row.state === 'draft') return { version: row.version }
  checkDraftTexts(changes, actor, stored)
  const practice = changes.practiceSlug === undefined ? null : await findPractice(core, changes.practiceSlug)
  const saved = await transition(core, target, 'save', actor, {
    effects: async ({ tx, row: before }) => {
      if (changes.signatoryId !== undefined)
        await refuseStranger(tx, before.organizationId, changes.signatoryId)
      return { data: { ...columnsOf(changes), ...(practice && { practiceId: practice.id }) } }
    },
  })
  return { version: saved.row.version }
}

/** The fields of a request that its form shows. */
export function draftOf(row: ProductionKeyRequest): ProductionPartial {
  const { name, practiceSlug, level, justification, termDays } = row
  const { signatoryId, signatoryName, signatoryTitle } = row
  const purposes = row.purposes as ProductionPartial['purposes']
  const dataClasses = row.dataClasses as ProductionPartial['dataClasses']
  return {
    ...{ name, practiceSlug, level, justification, purposes, dataClasses, termDays },
    ...{ signatoryId, signatoryName, signatoryTitle },
  }
}

/** Submits the request: the practice's admins get an invitation to sponsor it. */
export async function submit(core: Core, target: RequestTarget, actor: Actor): Promise<void> {
  const practice = await practiceOf(core, target.requestId, actor)
  await transition(core, target, 'submit', actor, {
    guards: {
      request_complete: async ({ tx, row }) => {
        if (row.practiceSlug !== practice.slug) throw new Problem('conflict')
        requireComplete(row)
        await requireProfile(tx, row.organizationId)
        await requireDomain(tx, row.organizationId)
        await requireSignatory(tx, row.organizationId, row.signatoryId ?? '')
      },
    },
    effects: async ({ tx, row, now }) => ({
      data: {
        practiceId: practice.id,
        profile: await requireProfile(tx, row.organizationId),
        submittedAt: row.submittedAt ?? now,
        invitedAt: now,
        reminders: 0,
      },
      emails: (sent) => invitation(tx, sent, actor, now),
    }),
  })
}

async function practiceOf(core: Core, requestId: string, actor: Actor): Promise<FoundPractice> {
  return findPractice(core, (await findOwn(core, requestId, actor)).practiceSlug)
}

async function findOwn({ prisma }: Core, requestId: string, { accountId }: Actor) {
  const row = await prisma.productionKeyRequest.findUnique({ where: { id: rowId(requestId) } })
  if (!row) throw new Problem('not_found')
  await requireRole(prisma, { organizationId: row.organizationId, accountId }, ['admin', 'owner'])
  return row
}

export async function reinvite(core: Core, target: RequestTarget, actor: Actor): Promise<void> {
  await practiceOf(core, target.requestId, actor)
  await transition(core, target, 'reinvite', actor, {
    guards: {
      invitations_left: ({ row }) => {
        if (row.reinvites >= reinvitesMax)
          throw new Problem('conflict', {
            message: 'The practice was invited three times. Submit a new request.',
          })
      },
    },
    effects: ({ tx, now }) => ({
      data: { invitedAt: now, reminders: 0, reinvites: { increment: 1 } },
      emails: (sent) => invitation(tx, sent, actor, now),
    }),
  })
}

async function invitation(tx: Prisma.TransactionClient, row: ProductionKeyRequest, actor: Actor, now: Date) {
  const requester = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
  const lapsesAt = new Date(now.getTime() + sponsorDays * dayMs).toISOString()
  return {
    'production-received': { lapsesAt },
    'sponsor-invited': { requestedBy: requester.name, lapsesAt, again: row.reinvites > 0 },
  }
}

export async function withdraw(core: Core, target: RequestTarget, actor: Actor): Promise<void> {
  await transition(core, target, 'withdraw', actor, {
    effects: ({ tx, row, party, now }) => {
      const reason = `Withdrawn by ${party.name}.`
      return {
        data: { endedAt: now, openRenewalOfId: null },
        text: reason,
        after: async () => {
          await withdrawOpen(core, tx, { requestId: row.id, reason, by: actor })
        },
        emails: () => ({ 'production-withdrawn': { reason } }),
      }
    },
  })
}

/** @param stored the draft as stored: its unchanged texts are not checked again */
function checkDraftTexts(draft: Partial<ProductionPartial>, actor: Actor, stored?: ProductionPartial): void {
  checkTexts(textsOf(draft), actor, stored && textsOf(stored))
}

function textsOf({
  name = '',
  justification = '',
  signatoryName = '',
  signatoryTitle = '',
}: Partial<ProductionPartial>) {
  return { name, justification, signatoryName, signatoryTitle }
}

function columnsOf<Draft extends Partial<ProductionPartial>>(draft: Draft) {
  return {
    ...draft,
    ...(draft.purposes && { purposes: [...new Set(draft.purposes)] }),
    ...(draft.dataClasses && { dataClasses: [...new Set(draft.dataClasses)] }),
  }
}

function requireComplete(row: ProductionKeyRequest): void {
  const lacks = Object.entries(findProductionLacks(draftOf(row)))
  if (lacks.length === 0) return
  const messages = lacks.map(
    ([field, message]) => `${productionFieldLabels[field as ProductionField]}: ${message}`,
  )
  throw new Problem('conflict', { message: `Something is missing. ${messages.join(' ')}` })
}

async function requireProfile(tx: Prisma.TransactionClient, organizationId: string) {
  const stored = await tx.securityProfile.findUnique({ where: { organizationId } })
  const profile = securityProfile.safeParse(stored?.answers)
  if (!profile.success)
    throw new Problem('conflict', { message: 'Complete your organization’s security profile first.' })
  return profile.data
}

async function requireDomain(tx: Prisma.TransactionClient, organizationId: string): Promise<void> {
  const verified = await tx.organizationDomain.count({ where: { organizationId, verifiedAt: { not: null } } })
  if (verified === 0)
    throw new Problem('conflict', {
      message: 'First confirm a domain of your organization, on its settings page.',
    })
}

/** Only owners may sign for the organization. */
async function requireSignatory(tx: Prisma.TransactionClient, organizationId: string, accountId: string) {
  const owner = await tx.membership.findFirst({
    where: { organizationId, accountId, role: 'owner', account: { disabledAt: null } },
  })
  if (!owner)
    throw new Problem('validation', {
      field: 'signatoryId',
      message: 'Choose an owner of the organization. Only owners can sign.',
    })
}

/** Checks the signatory if the draft names one. */
async function refuseStranger(
  tx: Prisma.TransactionClient,
  organizationId: string,
  accountId: string | null,
): Promise<void> {
  if (accountId !== null) await requireSignatory(tx, organizationId, accountId)
}
