/**
 * One step of an agreement: asked of the table, made in one transaction with its event, audit row, mails and
 * listeners. The row is locked first, so of two at once the second sees what the first did; the same form sent again
 * is done once.
 */
import type { Agreement, Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import {
  type AgreementEventName,
  type AgreementState,
  type AgreementTransition,
  agreementWorkflow,
} from '../../contract/agreement-workflow.ts'
import type { AgreementKind } from '../../contract/agreements.ts'
import { Problem } from '../../contract/problems.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import { withRetry } from '../../store/with-retry.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { AgreementMails, ToldMail } from './agreement-mails.ts'
import { type AgreementParty, findAgreementParty, systemParty } from './agreement-parties.ts'
import type { AgreementChange, AgreementListener, AgreementTarget } from './agreement-types.ts'

export type AgreementCase = Readonly<{
  tx: Prisma.TransactionClient
  row: Agreement
  party: AgreementParty
  actor: Actor | null
  now: Date
}>

/** What a step does besides moving the state. */
export type AgreementWork = Readonly<{
  data?: Prisma.AgreementUncheckedUpdateInput
  text?: string | null
  detail?: Prisma.InputJsonObject
  /** What the listeners hear. */
  change?: AgreementChange
  mails?: readonly ToldMail[]
}>

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  portalAudit: PortalAudit
  mails: AgreementMails
  listeners: readonly AgreementListener[]
}

const rowsOfTable: readonly AgreementTransition[] = agreementWorkflow.rows

export function createAgreementWalk(dependencies: Dependencies) {
  const { prisma, clock, portalAudit, mails, listeners } = dependencies

  /**
   * Locks the agreement and lets `work` make steps on it.
   * @param actor null for a job or a tick
   * @throws Problem `not_found` for whoever has no part in it, `conflict` when it changed since the page was made
   */
  async function locked<T>(
    target: AgreementTarget,
    actor: Actor | null,
    work: (of: AgreementCase) => Promise<T>,
  ): Promise<T> {
    return transact((tx) => lockedIn(tx, target, { actor, now: clock() }, work))
  }

  /** Documents are drawn inside it, so it may take long. */
  function transact<T>(work: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
    return withRetry(prisma, work, { maxWait: 10_000, timeout: 30_000 })
  }

  /** As `locked`, in a transaction of the caller. */
  async function lockedIn<T>(
    tx: Prisma.TransactionClient,
    target: AgreementTarget,
    { actor, now }: { actor: Actor | null; now: Date },
    work: (of: AgreementCase) => Promise<T>,
  ): Promise<T> {
    const row = await lock(tx, target.agreementId)
    const party = actor ? await findAgreementParty(tx, row, actor) : systemParty
    return work({ tx, row, party, actor, now })
  }

  /**
   * One step.
   * @param work checks the guard and says what else changes; called with the row locked and the step allowed
   * @returns the row as it is afterwards, and whether this very form was done before
   * @throws Problem `not_found`, `forbidden`, `conflict`, and what `work` throws
   */
  function step(
    target: AgreementTarget,
    event: AgreementEventName,
    actor: Actor | null,
    work: (of: AgreementCase) => Promise<AgreementWork> | AgreementWork = () => ({}),
  ): Promise<{ row: Agreement; repeated: boolean }> {
    return locked(target, actor, async (of) => {
      if (await wasDone(of, target, [event])) return { row: of.row, repeated: true }
      return { row: await advance(of, event, work, target), repeated: false }
    })
  }

  /** A step of a row that is locked. */
  async function advance(
    of: AgreementCase,
    event: AgreementEventName,
    work: (of: AgreementCase) => Promise<AgreementWork> | AgreementWork,
    target: Pick<AgreementTarget, 'version' | 'idempotencyKey'> = {},
  ): Promise<Agreement> {
    const { tx, row, party, actor, now } = of
    const to = agreementWorkflow.next(row.state as AgreementState, event, party.kind as never)
    if (target.version !== undefined && target.version !== null && target.version !== row.version)
      throw new Problem('conflict', { message: 'This has changed meanwhile. Look at it again.' })
    const listed = rowsOfTable.find((each) => each.from === row.state && each.event === event)
    if (listed?.stepUp && actor) requireStepUp(actor, now)
    const done = await work(of)
    const changed = await tx.agreement.update({
      where: { id: row.id },
      data: {
        ...(actor ? { activeAt: now, reminders: 0 } : {}),
        ...done.data,
        state: to,
        version: { increment: 1 },
      },
    })
    await record({ ...of, row: changed }, { event, from: row.state, done, target })
    return changed
  }

  /** The event, the audit row, the mails, the listeners of a step whose row is written. */
  async function record(
    { tx, row, party, actor, now }: AgreementCase,
    step: {
      event: AgreementEventName
      from: string | null
      done: AgreementWork
      target?: Pick<AgreementTarget, 'idempotencyKey'>
    },
  ): Promise<void> {
    const { event, from, done, target } = step
    await tx.agreementEvent.create({
      data: {
        agreementId: row.id,
        at: now,
        event,
        from,
        to: row.state,
        actorKind: party.kind,
        actorId: party.accountId,
        side: party.side,
        text: done.text ?? null,
        detail: done.detail ?? {},
        idempotencyKey: target?.idempotencyKey ?? null,
      },
      select: { id: true },
    })
    await portalAudit.append(tx, {
      ...(actor ? portalAudit.by(actor) : portalAudit.system()),
      organizationId: row.organizationId,
      ...(row.practiceId === null ? {} : { practiceId: row.practiceId }),
      action: `agreement.${event}`,
      subject: { kind: 'agreement', id: row.id },
      detail: { kind: row.kind, from, to: row.state, number: row.number, ...done.detail },
    })
    await mails.send(tx, row, { told: done.mails ?? [], actor, now })
    if (done.change) await tell({ tx, row, party, actor, now }, done.change, done.text)
  }

  async function tell(
    { tx, row, party, actor, now }: AgreementCase,
    change: AgreementChange,
    reason?: string | null,
  ): Promise<void> {
    for (const listener of listeners)
      await listener(tx, {
        agreementId: row.id,
        kind: row.kind as AgreementKind,
        requestId: row.requestId,
        organizationId: row.organizationId,
        practiceId: row.practiceId,
        replacesId: row.replacesId,
        change,
        ...(party.side === null ? {} : { side: party.side }),
        by: actor,
        ...(reason ? { reason } : {}),
        now,
      })
  }

  async function lock(tx: Prisma.TransactionClient, agreementId: string): Promise<Agreement> {
    if (!uuidPattern.test(agreementId)) throw new Problem('not_found')
    await tx.$queryRaw`SELECT 1 FROM portal.agreement WHERE id = ${agreementId}::uuid FOR UPDATE`
    const row = await tx.agreement.findUnique({ where: { id: agreementId } })
    if (!row) throw new Problem('not_found')
    return row
  }

  /** @throws Problem `conflict` when the key was used for something else */
  async function wasDone(
    { tx, row, party }: AgreementCase,
    { idempotencyKey }: AgreementTarget,
    events: readonly AgreementEventName[],
  ): Promise<boolean> {
    if (!idempotencyKey) return false
    const earlier = await tx.agreementEvent.findUnique({
      where: { agreementId_idempotencyKey: { agreementId: row.id, idempotencyKey } },
    })
    if (!earlier) return false
    if (events.some((event) => event === earlier.event) && earlier.actorId === party.accountId) return true
    throw new Problem('conflict', { message: 'This form was used for something else. Load the page again.' })
  }

  return { step, transact, locked, lockedIn, advance, record, wasDone }
}

export type AgreementWalk = ReturnType<typeof createAgreementWalk>
