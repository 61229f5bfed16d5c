/**
 * One step of a registration: asked of the table, made in one transaction with its event, audit row, clocks and mails.
 * The row is locked first, so of two at once the second sees what the first did; the same form sent again is done once.
 */
import type { MailLink, MailName, MailProps } from '../../../emails/registry.ts'
import type { Prisma, PrismaClient, Registration } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { Problem } from '../../contract/problems.ts'
import {
  type RegistrationEventName,
  type RegistrationState,
  type RegistrationTransition,
  registrationWorkflow,
} from '../../contract/registration-workflow.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import type { Mail } from '../../mail/mail.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import { requireMfa, requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Clocks } from './clocks.ts'
import { findConflict, findParty, type Party, system } from './parties.ts'

export type StepTarget = Readonly<{
  registrationId: string
  version?: number | null
  idempotencyKey?: string | null
}>

export type StepCase = Readonly<{
  tx: Prisma.TransactionClient
  row: Registration
  party: Party
  now: Date
}>

/** A mail without single-use links. */
export type StepMail = {
  [Name in MailName]: [MailLink<Name>] extends [never]
    ? Readonly<{ template: Name; to: string; props: MailProps<Name> }>
    : never
}[MailName]

/** What a step does besides moving the state. */
export type StepWork = Readonly<{
  data?: Prisma.RegistrationUncheckedUpdateManyInput
  codes?: readonly string[]
  text?: string | null
  detail?: Prisma.InputJsonObject
  /** Asked for when all else is written, the clocks too. */
  mails?: () => Promise<readonly StepMail[]>
  /** The promise is not paused although the table says so. */
  keepRunning?: boolean
}>

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  mail: Pick<Mail, 'enqueue'>
  portalAudit: PortalAudit
  clocks: Clocks
}

const rowsOfTable: readonly RegistrationTransition[] = registrationWorkflow.rows

export function createWalk({ prisma, clock, mail, portalAudit, clocks }: Dependencies) {
  /**
   * @param actor null for a job or a tick
   * @param work checks the guard and says what else changes; called with the row locked
   * @returns the row as it is afterwards, and whether this very form was done before
   * @throws Problem `not_found`, `forbidden`, `conflict`, and what `work` throws
   */
  async function step(
    target: StepTarget,
    event: RegistrationEventName,
    actor: Actor | null,
    work: (of: StepCase) => Promise<StepWork> | StepWork = () => ({}),
  ): Promise<{ row: Registration; repeated: boolean }> {
    return prisma.$transaction((tx) => stepIn(tx, target, event, actor, work), {
      maxWait: 10_000,
      timeout: 20_000,
    })
  }

  /** As `step`, in a transaction of the caller. */
  async function stepIn(
    tx: Prisma.TransactionClient,
    target: StepTarget,
    event: RegistrationEventName,
    actor: Actor | null,
    work: (of: StepCase) => Promise<StepWork> | StepWork,
  ): Promise<{ row: Registration; repeated: boolean }> {
    const now = clock()
    const row = await lock(tx, target.registrationId)
    const party = actor ? await findParty(tx, row, actor) : system
    if (await wasDone(tx, target, event, party)) return { row, repeated: true }
    const to = registrationWorkflow.next(row.state as RegistrationState, event, party.kind as never)
    if (target.version !== undefined && target.version !== null && target.version !== row.version)
      throw new Problem('conflict', { message: 'This has changed meanwhile. Look at it again.' })
    const listed = rowsOfTable.find((each) => each.from === row.state && each.event === event)
    if (actor) await checkProof(tx, { listed, row, party, actor })
    const done = await work({ tx, row, party, now })
    const changed = await tx.registration.update({
      where: { id: row.id },
      data: { ...done.data, state: to, version: { increment: 1 }, updatedAt: now },
    })
    await tx.registrationEvent.create({
      data: {
        registrationId: row.id,
        at: now,
        event,
        from: row.state,
        to,
        actorKind: party.kind,
        actorId: party.accountId,
        codes: [...(done.codes ?? [])],
        text: done.text ?? null,
        detail: done.detail ?? {},
        idempotencyKey: target.idempotencyKey ?? null,
      },
      select: { id: true },
    })
    await clocks.apply(
      tx,
      {
        registrationId: row.id,
        effects: listed ?? {},
        hasRule: row.kind === 'app',
        authentic: changed.authenticity === 'verified',
        keepRunning: done.keepRunning ?? false,
      },
      now,
    )
    await portalAudit.append(tx, {
      ...(actor ? portalAudit.by(actor) : portalAudit.system()),
      organizationId: row.organizationId,
      action: `registration.${event}`,
      subject: { kind: 'registration', id: row.id },
      detail: { from: row.state, to, codes: [...(done.codes ?? [])] },
    })
    for (const each of (await done.mails?.()) ?? [])
      await mail.enqueue(tx, {
        threadId: row.id,
        ...(actor ? { correlationId: actor.correlationId } : {}),
        ...each,
      } as EnqueuedMail)
    return { row: changed, repeated: false }
  }

  async function lock(tx: Prisma.TransactionClient, registrationId: string): Promise<Registration> {
    if (!uuidPattern.test(registrationId)) throw new Problem('not_found')
    await tx.$queryRaw`SELECT 1 FROM portal.registration WHERE id = ${registrationId}::uuid FOR UPDATE`
    const row = await tx.registration.findUnique({ where: { id: registrationId } })
    if (!row) throw new Problem('not_found')
    return row
  }

  /** @throws Problem `conflict` when the key was used for something else */
  async function wasDone(
    tx: Prisma.TransactionClient,
    { registrationId, idempotencyKey }: StepTarget,
    event: RegistrationEventName,
    party: Party,
  ): Promise<boolean> {
    if (!idempotencyKey) return false
    const earlier = await tx.registrationEvent.findUnique({
      where: { registrationId_idempotencyKey: { registrationId, idempotencyKey } },
    })
    if (!earlier) return false
    if (earlier.event === event && earlier.actorId === party.accountId) return true
    throw new Problem('conflict', { message: 'This form was used for something else. Load the page again.' })
  }

  async function checkProof(
    tx: Prisma.TransactionClient,
    of: { listed: RegistrationTransition | undefined; row: Registration; party: Party; actor: Actor },
  ): Promise<void> {
    const { listed, row, party, actor } = of
    if (party.kind === 'reviewer') {
      const message = await findConflict(tx, row, party)
      if (message) throw new Problem('forbidden', { message })
    }
    if (party.kind === 'reviewer' || party.kind === 'ops') requireMfa(actor)
    if (listed?.stepUp) requireStepUp(actor, clock())
  }

  return { step, stepIn }
}

export type Walk = ReturnType<typeof createWalk>
