/**
 * Makes the transitions of every workflow. The table of the workflow lists them. Each runs in one transaction: it locks
 * the row, ignores a form that was sent twice, checks the actor and the guard, moves the state and the clock, and
 * writes the event, the audit row and the emails that the table lists. No other email is sent.
 */
import type { MailName } from '../../../emails/registry.ts'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { Transition } from '../../contract/workflows/workflows.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import { withRetry } from '../../store/retry.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { checkProof, type StepUp } from './proof.ts'

export type Target<Subject = never> = Readonly<{
  id: string
  version?: number | null
  idempotencyKey?: string | null
  /** The key of the sender's last save, if its response may not have arrived: that save is not a change by others. */
  follows?: string | undefined
  /** The row, if this request has read it already: it is read again only if it has changed since. */
  read?: Subject | undefined
}>

/**
 * Starts a transition: a person, a tick, a job with the request that caused it, or a change of a document, with the
 * person who made it, if any. A caller that knows the party already, or acts for another person, passes the party.
 */
export type Initiator<Who = never> =
  | Actor
  | 'system'
  | Readonly<{ system: true; correlationId: string | null }>
  | Readonly<{ documents: true; actor: Actor | null }>
  | Readonly<{ party: Who; actor: Actor | null }>

export type Party = Readonly<{
  kind: string
  accountId: string | null
  /** The side of a contract: developer or practice. */
  side?: string | null
}>

export type Row = Readonly<{ id: string; state: string; version: number; organizationId: string | null }>

export type TransitionContext<Subject, Who> = Readonly<{
  tx: Prisma.TransactionClient
  row: Subject
  party: Who
  now: Date
}>

/** The props of one email beyond those that all emails about the subject share, without single-use links. */
export type EmailContent = Readonly<Record<string, unknown> & { links?: Readonly<Record<string, string>> }>

/** The effects of a transition, besides the new state. */
export type Effects<Subject, Data> = Readonly<{
  data?: Data
  codes?: readonly string[]
  text?: string | null
  detail?: Prisma.InputJsonObject
  /** Used instead of the row, if operators look up the step under the record that it created. */
  auditSubject?: Readonly<{ kind: string; id: string }>
  /** Makes further changes that must see the new state. */
  after?: (row: Subject) => Promise<void>
  /** Contents by template, from the row after all other changes. The table says which are sent, and to whom. */
  emails?: (row: Subject) => EmailContents | Promise<EmailContents>
}>
type EmailContents = Readonly<Partial<Record<string, EmailContent>>>

export type Guards<Subject, Who> = Readonly<
  Record<string, (context: TransitionContext<Subject, Who>) => void | Promise<void>>
>

export type Work<Subject, Who, Data> = Readonly<{
  guards?: Guards<Subject, Who>
  effects?: (
    context: TransitionContext<Subject, Who>,
  ) => Effects<Subject, Data> | Promise<Effects<Subject, Data>>
}>

/** A finished step. */
export type Made<Subject> = Readonly<{
  row: Subject
  event: string
  from: string | null
  party: Party
  actor: Actor | null
  text: string | null
  now: Date
}>

/** Locks the row. @param read the row as it was read before; a noun may return it if it has not changed */
type Lock<Subject> = (tx: Prisma.TransactionClient, id: string, read?: Subject) => Promise<Subject | null>

export type SubjectKind =
  | 'production_key_request'
  | 'agreement'
  | 'registration'
  | 'sandbox_key_request'
  | 'system_authorization'

/** What the engine needs to know about a noun. */
export type Noun<Subject extends Row, Who extends Party, Data> = Readonly<{
  kind: SubjectKind
  /** The prefix of its audit event names. */
  audit: string
  rows: readonly (Transition & Readonly<{ clock?: unknown; stepUp?: StepUp }>)[]
  next: (from: string | null, event: string, actor: string) => string
  lock: Lock<Subject>
  update: (tx: Prisma.TransactionClient, id: string, data: Data | Record<string, unknown>) => Promise<Subject>
  findParty: (db: Prisma.TransactionClient, row: Subject, actor: Actor) => Promise<Who>
  processParty: (kind: 'system' | 'documents') => Who
  /** Why a reviewer may not decide on the row; null if they may. */
  findConflict: (db: Prisma.TransactionClient, row: Subject, party: Who) => Promise<string | null>
  /** Whether staff need two-step sign-in for every step, before the step-up that the table may require as well. */
  mfaFirst: boolean
  /** @param effect the `clock` of the table's row */
  moveClock: (
    core: Core,
    context: TransitionContext<Subject, Who>,
    effect: unknown,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>
  /** The audit row's detail for a step. */
  auditDetail: (row: Subject, step: AuditedStep) => Prisma.InputJsonObject
  practiceId: (row: Subject) => string | null
  /** The emails of one template, one for each recipient in the table. */
  write: (
    core: Core,
    tx: Prisma.TransactionClient,
    row: Subject,
    email: Readonly<{ template: MailName; recipients: string; content: EmailContent }>,
  ) => Promise<readonly EnqueuedMail[]>
  /** Called when everything is written, in the same transaction: an error from it undoes the step. */
  tell?: (core: Core, tx: Prisma.TransactionClient, made: Made<Subject>) => Promise<void>
  /** The time limits of a step's transaction, in milliseconds, unless the default ones apply. */
  patience?: Readonly<{ maxWait: number; timeout: number }>
}>

type AuditedStep = Readonly<{
  from: string | null
  to: string
  codes: readonly string[]
  detail: Prisma.InputJsonObject
}>

type Outcome<Subject> = Readonly<{ row: Subject; repeated: boolean }>

/**
 * @returns the row after the step, and whether an earlier request with the same form made it
 * @throws Problem `not_found`, `forbidden`, `conflict`, and what the guard throws
 */
export function transition<Subject extends Row, Who extends Party, Data>(
  core: Core,
  noun: Noun<Subject, Who, Data>,
  ...call: [target: Target<Subject>, event: string, who: Initiator<Who>, work?: Work<Subject, Who, Data>]
): Promise<Outcome<Subject>> {
  return transact(core, (tx) => transitionIn(core, noun, tx, ...call), noun.patience)
}

export function transact<T>(
  { prisma }: Pick<Core, 'prisma'>,
  work: (tx: Prisma.TransactionClient) => Promise<T>,
  patience?: Readonly<{ maxWait: number; timeout: number }>,
): Promise<T> {
  return withRetry(prisma, work, patience)
}

/** Like `transition`, but in the caller's transaction, which may already hold the row. */
export async function transitionIn<Subject extends Row, Who extends Party, Data>(
  core: Core,
  noun: Noun<Subject, Who, Data>,
  tx: Prisma.TransactionClient,
  ...[target, event, who, work = {}]: [
    target: Target<Subject>,
    event: string,
    who: Initiator<Who>,
    work?: Work<Subject, Who, Data>,
  ]
): Promise<Outcome<Subject>> {
  const now = core.clock()
  const row = await lock(noun, tx, target.id, target.read)
  const { party, actor, correlationId } = await resolve(noun, tx, row, who)
  if (await wasDone(noun, tx, { target, events: [event], party })) return { row, repeated: true }
  const to = noun.next(row.state, event, party.kind)
  const isCurrent = (target.version ?? row.version) === row.version
  if (!isCurrent && !(await isLast(tx, { subjectKind: noun.kind, subjectId: row.id }, target, party)))
    throw new Problem('conflict', { message: 'This changed in the meantime. Review it again.' })
  const listed = rowOf(noun, row.state, event)
  if (actor && party.accountId !== null)
    await checkProof(noun, tx, { stepUp: listed?.stepUp, row, party, actor, now })
  const context = { tx, row, party, now }
  if (listed?.guard !== undefined) await guardOf(noun, work, listed.guard)(context)
  const effects = (await work.effects?.(context)) ?? {}
  const changed = await noun.update(tx, row.id, {
    ...(await noun.moveClock(core, context, listed?.clock)),
    ...effects.data,
    state: to,
    version: { increment: 1 },
    updatedAt: now,
  })
  const made = { row: changed, event, from: row.state, party, actor, correlationId, now, effects }
  await record(core, noun, tx, { ...made, idempotencyKey: target.idempotencyKey })
  return { row: changed, repeated: false }
}

/** Whether the row's last step is the sender's own save that this request follows. */
async function isLast(
  tx: Prisma.TransactionClient,
  where: { subjectKind: SubjectKind; subjectId: string },
  { follows }: Pick<Target, 'follows'>,
  { accountId }: Party,
): Promise<boolean> {
  if (!follows) return false
  const last = await tx.workflowEvent.findFirst({ where, orderBy: { id: 'desc' } })
  return last?.idempotencyKey === follows && last.actorId === accountId
}

type Recorded<Subject, Data> = Omit<Made<Subject>, 'text'> &
  Readonly<{
    /** The id of the request that caused a job. A person's request has its id on the actor. */
    correlationId?: string | null
    effects?: Effects<Subject, Data>
    idempotencyKey?: string | null | undefined
  }>

/** Writes the event, the audit row and the emails of a step, once its row is written. */
async function record<Subject extends Row, Who extends Party, Data>(
  core: Core,
  noun: Noun<Subject, Who, Data>,
  tx: Prisma.TransactionClient,
  { effects = {}, idempotencyKey, ...made }: Recorded<Subject, Data>,
): Promise<void> {
  const { row, event, from, party, actor, correlationId = null, now } = made
  const codes = [...(effects.codes ?? [])]
  await tx.workflowEvent.create({
    data: {
      subjectKind: noun.kind,
      subjectId: row.id,
      at: now,
      event,
      from,
      to: row.state,
      actorKind: party.kind,
      actorId: party.accountId ?? actor?.accountId ?? null,
      side: party.side ?? null,
      codes,
      text: effects.text ?? null,
      detail: effects.detail ?? {},
      idempotencyKey: idempotencyKey ?? null,
    },
    select: { id: true },
  })
  const { detail = {}, auditSubject } = effects
  const entry = auditEntryOf(noun, row, { event, from, codes, detail })
  await core.portalAudit.append(tx, {
    ...(actor ? core.portalAudit.by(actor) : core.portalAudit.system(correlationId)),
    ...entry,
    subject: auditSubject ?? entry.subject,
  })
  await effects.after?.(row)
  await sendEmails(core, noun, tx, { ...made, effects })
  await noun.tell?.(core, tx, { ...made, text: effects.text ?? null })
}

/** The audit row, without the actor. */
export function auditEntryOf<Subject extends Row>(
  noun: Pick<Noun<Subject, never, never>, 'kind' | 'audit' | 'rows' | 'auditDetail' | 'practiceId'>,
  row: Subject,
  { event, ...step }: Omit<AuditedStep, 'to'> & Readonly<{ event: string }>,
) {
  const practiceId = noun.practiceId(row)
  return {
    ...(row.organizationId ? { organizationId: row.organizationId } : {}),
    ...(practiceId ? { practiceId } : {}),
    action: `${noun.audit}.${rowOf(noun, step.from, event)?.audit ?? event}`,
    subject: { kind: noun.kind, id: row.id },
    detail: noun.auditDetail(row, { ...step, to: row.state }),
  }
}

async function sendEmails<Subject extends Row, Who extends Party, Data>(
  core: Core,
  noun: Noun<Subject, Who, Data>,
  tx: Prisma.TransactionClient,
  { row, event, from, actor, correlationId = null, effects }: Recorded<Subject, Data>,
): Promise<void> {
  const { emails = {} } = rowOf(noun, from, event) ?? {}
  if (Object.keys(emails).length === 0) return
  const contents = (await effects?.emails?.(row)) ?? {}
  const requestId = actor?.correlationId ?? correlationId
  for (const [template, recipients] of Object.entries(emails)) {
    const content = contents[template]
    if (!content) throw new Error(`${noun.audit}.${event} has nothing to say in ${template}`)
    const listed = { template: template as MailName, recipients, content }
    for (const email of await noun.write(core, tx, row, listed))
      await core.mail.enqueue(tx, {
        threadId: row.id,
        ...(requestId === null ? {} : { correlationId: requestId }),
        ...email,
      })
  }
}

export function rowOf<Row extends Readonly<{ from: string | null; event: string }>>(
  { rows }: Readonly<{ rows: readonly Row[] }>,
  from: string | null,
  event: string,
): Row | undefined {
  return rows.find((row) => row.from === from && row.event === event)
}

export type First<Subject, Data> = Readonly<{
  guards: Readonly<Record<string, () => void | Promise<void>>>
  make: () => Promise<Subject>
  party: Party
  actor: Actor | null
  now: Date
  idempotencyKey?: string
}> &
  Pick<Effects<Subject, Data>, 'text' | 'detail' | 'emails'>

/** The first transition, which creates the row. */
export async function begin<Subject extends Row, Who extends Party, Data>(
  core: Core,
  noun: Noun<Subject, Who, Data>,
  tx: Prisma.TransactionClient,
  ...[event, first]: [event: string, first: First<Subject, Data>]
): Promise<Subject> {
  const { guards, make, party, actor, now, idempotencyKey, ...effects } = first
  for (const guard of Object.values(guards)) await guard()
  const row = await make()
  await record(core, noun, tx, { row, event, from: null, party, actor, now, effects, idempotencyKey })
  return row
}

/** @throws Problem `not_found` */
export async function lock<Subject extends Row>(
  noun: Readonly<{ lock: Lock<Subject> }>,
  tx: Prisma.TransactionClient,
  id: string,
  read?: Subject,
): Promise<Subject> {
  const row = uuidPattern.test(id) ? await noun.lock(tx, id, read) : null
  if (!row) throw new Problem('not_found')
  return row
}

async function resolve<Subject extends Row, Who extends Party>(
  noun: Pick<Noun<Subject, Who, never>, 'processParty' | 'findParty'>,
  tx: Prisma.TransactionClient,
  row: Subject,
  who: Initiator<Who>,
): Promise<Readonly<{ party: Who; actor: Actor | null; correlationId?: string | null }>> {
  if (who === 'system') return { party: noun.processParty('system'), actor: null }
  if ('system' in who)
    return { party: noun.processParty('system'), actor: null, correlationId: who.correlationId }
  if ('party' in who) return who
  if ('documents' in who) return { party: noun.processParty('documents'), actor: who.actor }
  return { party: await noun.findParty(tx, row, who), actor: who }
}

function guardOf<Subject, Who, Data>(
  { audit }: Readonly<{ audit: string }>,
  { guards }: Work<Subject, Who, Data>,
  name: string,
) {
  const guard = guards?.[name]
  if (!guard) throw new Error(`${audit}: nobody provides the guard ${name}`)
  return guard
}

/**
 * Whether an earlier request with the same idempotency key made one of the events.
 * @throws Problem `conflict` if the key was used for another event, or by another person
 */
export async function wasDone(
  noun: Readonly<{ kind: string }>,
  tx: Prisma.TransactionClient,
  of: Readonly<{ target: Pick<Target, 'id' | 'idempotencyKey'>; events: readonly string[]; party: Party }>,
): Promise<boolean> {
  const { events, party, target } = of
  const { id, idempotencyKey } = target
  if (!idempotencyKey) return false
  const subject = { subjectKind: noun.kind, subjectId: id, idempotencyKey }
  const earlier = await tx.workflowEvent.findUnique({
    where: { subjectKind_subjectId_idempotencyKey: subject },
  })
  if (!earlier) return false
  if (events.includes(earlier.event) && earlier.actorId === party.accountId) return true
  throw new Problem('conflict', { message: 'This form was used for something else. Reload the page.' })
}
