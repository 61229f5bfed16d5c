/** Changes of an enabled app, and the other requests that walk the same table. */
import { randomUUID } from 'node:crypto'
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { keyTermDaysMax, requestedLimitsMax } from '../../contract/forms-requests.ts'
import { Problem } from '../../contract/problems.ts'
import { diffRegistrations, lowRiskFields, type RegistrationForm } from '../../contract/registration-form.ts'
import { type RegistrationKind, registrationWorkflow } from '../../contract/registration-workflow.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import type { Actor } from '../actor.ts'
import { beginCreation } from './creations.ts'
import { aboutOf, findReaders } from './mail-props.ts'
import { toClientFields } from './new-client.ts'
import type { Party } from './parties.ts'
import type { Registrations } from './registration-types.ts'
import type { RegistrationRooms } from './rooms.ts'
import { readForm, takeForm, toStored } from './stored-form.ts'
import { checkWords, dueOf, keepVersion, refuseOtherOpen } from './submissions.ts'
import type { StepCase } from './walk.ts'

type Changes = Pick<Registrations, 'changeDetails' | 'requestChange' | 'requestOther'>

export function createChanges(rooms: RegistrationRooms): Changes {
  const {
    prisma,
    clock,
    walk,
    clients,
    clocks,
    linter,
    terms,
    portalAudit,
    mail,
    logoAddress,
    sandboxClient,
  } = rooms

  const changeDetails: Changes['changeDetails'] = async ({ form: typed, ...target }, actor) => {
    const form = takeForm(typed, actor, await formOf(target))
    const done = await walk.step(target, 'change', actor, async ({ tx, row, now }) => {
      requireApp(row)
      const changes = diffRegistrations(readForm(row.form), form)
      if (changes.length === 0)
        throw new Problem('validation', { field: 'form', message: 'Nothing was changed.' })
      const risky = changes.find(({ field }) => !lowRiskFields.some((low) => low === field))
      if (risky)
        throw new Problem('validation', {
          field: risky.field,
          message: `${risky.label}: this is reviewed. Ask for a change instead.`,
        })
      const findings = linter.look(form).findings.filter(({ severity }) => severity === 'error')
      const wrong = findings.find(({ field }) => changes.some((change) => change.field === field))
      if (wrong)
        throw new Problem('validation', { field: wrong.field, message: `${wrong.reason} ${wrong.fix}` })
      const number = await keepVersion(tx, row.id, form, { by: actor.accountId, at: now })
      const fields = changes.map(({ label }) => label).join(', ')
      return {
        data: { form: toStored(form), name: form.name, submittedNumber: number, servingNumber: number },
        detail: { fields: changes.map(({ field }) => field) },
        mails: async () => {
          const about = await aboutOf(tx, { ...row, name: form.name })
          return (await findReaders(tx, row)).map((reader) => ({
            template: 'registration-changed' as const,
            to: reader.email,
            props: { ...about(reader), fields },
          }))
        },
      }
    })
    if (!done.repeated) await follow(done.row, form, actor)
  }

  async function formOf({
    registrationId,
  }: {
    registrationId: string
  }): Promise<RegistrationForm | undefined> {
    const row = await prisma.registration.findUnique({ where: { id: registrationId } })
    return row?.form ? readForm(row.form) : undefined
  }

  /** Both registrations of the app say what the form says; done again by the next change if it fails here. */
  async function follow(row: Registration, form: RegistrationForm, actor: Actor): Promise<void> {
    const fields = toClientFields(form, logoAddress)
    for (const clientId of [row.productionClientId, row.sandboxClientId])
      if (clientId) await clients.replace(clientId, fields, actor)
  }

  const requestChange: Changes['requestChange'] = async (
    { form: typed, reason, terms: accepted, ...target },
    actor,
  ) => {
    const form = takeForm(typed, actor, await formOf(target))
    checkWords('reason', reason, actor)
    const present = terms.current()
    if (accepted.version !== present.version || accepted.sha256 !== present.sha256)
      throw new Problem('validation', {
        field: 'terms',
        message: 'The terms have changed. Read and accept the present ones.',
      })
    const report = await linter.lint(form)
    if (!report.complete) {
      const [first] = report.findings.filter(({ severity }) => severity === 'error')
      throw new Problem('validation', {
        field: first?.field ?? 'form',
        message: first ? `${first.reason} ${first.fix}` : 'The form could not be looked at. Try again.',
      })
    }
    let registrationId: string = randomUUID()
    const done = await walk.step(target, 'request_change', actor, async (of) => {
      requireApp(of.row)
      await refuseOtherOpen(of.tx, of.row.id)
      if (diffRegistrations(readForm(of.row.form), form).length === 0)
        throw new Problem('validation', { field: 'form', message: 'Nothing was changed.' })
      const child = await open(of, {
        id: registrationId,
        kind: 'change',
        form,
        reason: reason.trim(),
        actor,
        extra: {
          parentId: of.row.id,
          openForId: of.row.id,
          productionClientId: null,
          authenticity: of.row.authenticity,
          // What it is compared with, by those who look at it.
          requested: { replaces: of.row.servingNumber },
          termsVersion: accepted.version,
          termsSha256: accepted.sha256,
        },
      })
      return { detail: { change: child.id }, mails: () => receivedMails(of.tx, child) }
    })
    if (done.repeated) registrationId = await findRepeated(target)
    // To be tried while it is looked at: production keeps the old configuration.
    await sandboxClient(done.row, form, actor)
    return { registrationId }
  }

  async function findRepeated({
    registrationId,
    idempotencyKey,
  }: {
    registrationId: string
    idempotencyKey: string
  }) {
    const event = await prisma.registrationEvent.findUniqueOrThrow({
      where: { registrationId_idempotencyKey: { registrationId, idempotencyKey } },
    })
    return String((event.detail as { change?: unknown }).change)
  }

  const requestOther: Changes['requestOther'] = async (input, actor) => {
    const { kind, organizationId, subjectId, reason, requested, idempotencyKey } = input
    checkWords('reason', reason, actor)
    checkRequested({ kind, about: uuidPattern.test(subjectId) ? 'key' : 'app' }, requested)
    return prisma.$transaction(async (tx) => {
      const { party, earlier } = await beginCreation(tx, { organizationId, idempotencyKey }, actor)
      if (earlier) return { registrationId: earlier.id }
      const name = await findSubject(tx, { kind, organizationId, subjectId })
      registrationWorkflow.next(
        registrationWorkflow.next(null, 'create', party.kind as never),
        'submit',
        party.kind as never,
      )
      const child = await open(
        { tx, party, now: clock(), row: { organizationId, name } },
        {
          kind,
          form: null,
          reason: reason.trim(),
          actor,
          extra: { subjectId, requested, authenticity: 'verified' },
          idempotencyKey,
        },
      )
      for (const each of await receivedMails(tx, child)) await mail.enqueue(tx, each)
      return { registrationId: child.id }
    })
  }

  /** Made and handed in at once: its clock runs from now on. */
  async function open(
    {
      tx,
      row,
      now,
      party,
    }: Pick<StepCase, 'tx' | 'now'> & { party: Party; row: { organizationId: string; name: string } },
    given: {
      id?: string
      kind: RegistrationKind
      form: RegistrationForm | null
      reason: string
      actor: Actor
      extra: Partial<Prisma.RegistrationUncheckedCreateInput>
      idempotencyKey?: string
    },
  ): Promise<Registration> {
    const { form, actor } = given
    const to = registrationWorkflow.next('draft', 'submit', party.kind as never)
    const child = await tx.registration.create({
      data: {
        ...(given.id ? { id: given.id } : {}),
        kind: given.kind,
        organizationId: row.organizationId,
        createdById: actor.accountId,
        name: form?.name ?? row.name,
        state: to,
        form: form ? toStored(form) : {},
        reason: given.reason,
        receivedAt: now,
        createdAt: now,
        updatedAt: now,
        ...given.extra,
      },
    })
    const number = form ? await keepVersion(tx, child.id, form, { by: actor.accountId, at: now }) : null
    const steps = [
      { event: 'create', from: null, to: 'draft', idempotencyKey: given.idempotencyKey ?? null },
      { event: 'submit', from: 'draft', to, idempotencyKey: null },
    ]
    for (const each of steps) {
      await tx.registrationEvent.create({
        data: {
          registrationId: child.id,
          at: now,
          actorKind: party.kind,
          actorId: actor.accountId,
          text: given.reason,
          ...each,
        },
        select: { id: true },
      })
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        organizationId: row.organizationId,
        action: `registration.${each.event}`,
        subject: { kind: 'registration', id: child.id },
        detail: { from: each.from, to: each.to, codes: [] },
      })
    }
    await clocks.apply(
      tx,
      {
        registrationId: child.id,
        effects: { promise: 'start' },
        hasRule: false,
        authentic: true,
        keepRunning: false,
      },
      now,
    )
    return number === null
      ? child
      : tx.registration.update({ where: { id: child.id }, data: { submittedNumber: number } })
  }

  async function receivedMails(tx: Prisma.TransactionClient, row: Registration) {
    const about = await aboutOf(tx, row)
    const promiseDueAt = await dueOf(tx, row.id, ['promise'])
    return (await findReaders(tx, row)).map((reader) => ({
      template: 'registration-received' as const,
      to: reader.email,
      threadId: row.id,
      props: { ...about(reader), promiseDueAt, ruleDueAt: null },
    }))
  }

  return { changeDetails, requestChange, requestOther }
}

function requireApp({ kind }: Pick<Registration, 'kind'>): void {
  if (kind !== 'app') throw new Problem('conflict', { message: 'Only an app can be changed.' })
}

function checkRequested(
  { kind, about }: { kind: 'limits' | 'key_term'; about: 'key' | 'app' },
  requested: object,
): void {
  const within = (name: string, most: number) => {
    const value = (requested as Record<string, unknown>)[name]
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
      throw new Problem('validation', {
        field: name,
        message: `Ask for 1 to ${most.toLocaleString('en-US')}.`,
      })
  }
  if (kind === 'key_term') within('days', keyTermDaysMax)
  else {
    within('burst', requestedLimitsMax[about].burst)
    within('sustained', requestedLimitsMax[about].sustained)
  }
}

/** @returns what the key or app is called. @throws Problem `not_found` unless it is the organization's */
async function findSubject(
  tx: Prisma.TransactionClient,
  { kind, organizationId, subjectId }: { kind: string; organizationId: string; subjectId: string },
): Promise<string> {
  const key = uuidPattern.test(subjectId)
    ? await tx.apiKey.findFirst({
        where: { id: subjectId, organizationId, revokedAt: null, explorer: false },
      })
    : null
  const client =
    key || kind === 'key_term'
      ? null
      : await tx.client.findFirst({ where: { id: subjectId, organizationId, removedAt: null } })
  const name = key?.name ?? client?.name
  if (name === undefined) throw new Problem('not_found')
  return name
}
