/**
 * One step of a production key: asked of the table, made in one transaction with its event, audit row, clock and mails.
 * The row is locked first, so of two at once the second sees what the first did; the same form sent again is done once.
 */
import type { Prisma, PrismaClient, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { Problem } from '../../contract/problems.ts'
import {
  type ProductionKeyEventName,
  type ProductionKeyState,
  type ProductionKeyTransition,
  productionKeyWorkflow,
} from '../../contract/production-key-workflow.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import type { Mail } from '../../mail/mail.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import { transactAgain } from '../../store/transact-again.ts'
import { requireSecondStep, requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { OfficeCalendar } from '../business-days/business-days.ts'
import { findConflict, findParty, type Party, processParty } from './parties.ts'
import { moveClock } from './review-clock.ts'

export type StepTarget = Readonly<{
  requestId: string
  version?: number | null
  idempotencyKey?: string | null
}>

/** A person, a tick, or the documents (with the person whose signature it was, where there is one). */
export type Stepper = Actor | 'system' | Readonly<{ documents: true; actor: Actor | null }>

export type StepCase = Readonly<{
  tx: Prisma.TransactionClient
  row: ProductionKeyRequest
  party: Party
  now: Date
}>

/** What a step does besides moving the state. */
export type StepWork = Readonly<{
  data?: Prisma.ProductionKeyRequestUncheckedUpdateManyInput
  codes?: readonly string[]
  text?: string | null
  detail?: Prisma.InputJsonObject
  /** Further changes that must see the new state. */
  after?: (row: ProductionKeyRequest) => Promise<void>
  /** Asked for when all else is written; given the row as it is then. */
  mails?: (row: ProductionKeyRequest) => Promise<readonly EnqueuedMail[]>
}>

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  mail: Pick<Mail, 'enqueue'>
  portalAudit: PortalAudit
  calendar: OfficeCalendar
}

type Work = (of: StepCase) => Promise<StepWork> | StepWork
type Outcome = { row: ProductionKeyRequest; repeated: boolean }

const rowsOfTable: readonly ProductionKeyTransition[] = productionKeyWorkflow.rows

export function createWalk({ prisma, clock, mail, portalAudit, calendar }: Dependencies) {
  /**
   * @param work checks the guard and says what else changes; called with the row locked
   * @returns the row as it is afterwards, and whether this very form was done before
   * @throws Problem `not_found`, `forbidden`, `conflict`, and what `work` throws
   */
  async function step(
    target: StepTarget,
    event: ProductionKeyEventName,
    who: Stepper,
    work: Work = () => ({}),
  ): Promise<Outcome> {
    return transact((tx) => stepIn(tx, target, event, who, work))
  }

  function transact<T>(work: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
    return transactAgain(prisma, work)
  }

  /** As `step`, in a transaction of the caller. */
  async function stepIn(
    tx: Prisma.TransactionClient,
    target: StepTarget,
    event: ProductionKeyEventName,
    who: Stepper,
    work: Work = () => ({}),
  ): Promise<Outcome> {
    const now = clock()
    const actor = who === 'system' ? null : 'documents' in who ? who.actor : who
    const row = await lock(tx, target.requestId)
    const party = await partyOf(tx, row, who)
    if (await wasDone(tx, target, event, party)) return { row, repeated: true }
    const to = productionKeyWorkflow.next(row.state as ProductionKeyState, event, party.kind as never)
    if (target.version !== undefined && target.version !== null && target.version !== row.version)
      throw new Problem('conflict', { message: 'This has changed meanwhile. Look at it again.' })
    const listed = rowsOfTable.find((each) => each.from === row.state && each.event === event)
    if (actor && party.accountId !== null) await checkProof(tx, { listed, row, party, actor })
    const done = await work({ tx, row, party, now })
    const changed = await tx.productionKeyRequest.update({
      where: { id: row.id },
      data: {
        ...moveClock(row, listed?.clock, calendar, now),
        ...done.data,
        state: to,
        version: { increment: 1 },
        updatedAt: now,
      },
    })
    await record(tx, { row: changed, event, from: row.state, party, target, done, actor, now })
    await done.after?.(changed)
    for (const each of (await done.mails?.(changed)) ?? [])
      await mail.enqueue(tx, {
        threadId: row.id,
        ...(actor ? { correlationId: actor.correlationId } : {}),
        ...each,
      })
    return { row: changed, repeated: false }
  }

  async function partyOf(
    tx: Prisma.TransactionClient,
    row: ProductionKeyRequest,
    who: Stepper,
  ): Promise<Party> {
    if (who === 'system') return processParty('system')
    return 'documents' in who ? processParty('documents') : findParty(tx, row, who)
  }

  async function record(
    tx: Prisma.TransactionClient,
    of: {
      row: ProductionKeyRequest
      event: ProductionKeyEventName
      from: string | null
      party: Party
      target: Pick<StepTarget, 'idempotencyKey'>
      done: StepWork
      actor: Actor | null
      now: Date
    },
  ): Promise<void> {
    const { row, event, from, party, target, done, actor, now } = of
    await tx.productionKeyEvent.create({
      data: {
        requestId: row.id,
        at: now,
        event,
        from,
        to: row.state,
        actorKind: party.kind,
        actorId: party.accountId ?? actor?.accountId ?? null,
        codes: [...(done.codes ?? [])],
        text: done.text ?? null,
        detail: done.detail ?? {},
        idempotencyKey: target.idempotencyKey ?? null,
      },
      select: { id: true },
    })
    await portalAudit.append(tx, {
      ...(actor ? portalAudit.by(actor) : portalAudit.system()),
      organizationId: row.organizationId,
      ...(row.practiceId ? { practiceId: row.practiceId } : {}),
      action: `production_key.${event}`,
      subject: { kind: 'production_key_request', id: row.id },
      detail: { from, to: row.state, codes: [...(done.codes ?? [])], ...done.detail },
    })
  }

  async function lock(tx: Prisma.TransactionClient, requestId: string): Promise<ProductionKeyRequest> {
    if (!uuidPattern.test(requestId)) throw new Problem('not_found')
    await tx.$queryRaw`SELECT 1 FROM portal.production_key_request WHERE id = ${requestId}::uuid FOR UPDATE`
    const row = await tx.productionKeyRequest.findUnique({ where: { id: requestId } })
    if (!row) throw new Problem('not_found')
    return row
  }

  /** @throws Problem `conflict` when the key was used for something else */
  async function wasDone(
    tx: Prisma.TransactionClient,
    { requestId, idempotencyKey }: StepTarget,
    event: ProductionKeyEventName,
    party: Party,
  ): Promise<boolean> {
    if (!idempotencyKey) return false
    const earlier = await tx.productionKeyEvent.findUnique({
      where: { requestId_idempotencyKey: { requestId, idempotencyKey } },
    })
    if (!earlier) return false
    if (earlier.event === event && earlier.actorId === party.accountId) return true
    throw new Problem('conflict', { message: 'This form was used for something else. Load the page again.' })
  }

  async function checkProof(
    tx: Prisma.TransactionClient,
    of: {
      listed: ProductionKeyTransition | undefined
      row: ProductionKeyRequest
      party: Party
      actor: Actor
    },
  ): Promise<void> {
    const { listed, row, party, actor } = of
    if (party.kind === 'reviewer') {
      const message = await findConflict(tx, row, party)
      if (message) throw new Problem('forbidden', { message })
    }
    const staff = party.kind === 'reviewer' || party.kind === 'ops'
    if (listed?.stepUp) requireStepUp(actor, clock())
    else if (staff) requireSecondStep(actor)
  }

  return { step, stepIn, transact, record, lock }
}

export type Walk = ReturnType<typeof createWalk>
