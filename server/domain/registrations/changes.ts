/** Changes of an enabled app, and requests for limits or terms, which use the same table. */

import { randomUUID } from 'node:crypto'
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { keyTermDaysMax, requestedLimitsMax } from '../../contract/forms/requests.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId, uuidPattern } from '../../contract/http/uuid.ts'
import {
  diffRegistrations,
  lowRiskFields,
  type RegistrationForm,
} from '../../contract/workflows/registration-form.ts'
import {
  type RegistrationKind,
  registrationWorkflow,
} from '../../contract/workflows/registration-workflow.ts'
import type { Actor } from '../actor.ts'
import * as clients from '../clients/clients.ts'
import type { Core } from '../core.ts'
import type { OrganizationParty } from '../organizations/membership.ts'
import { transact } from '../workflow/engine.ts'
import { toClientFields } from './apply-approved.ts'
import { dueOf } from './clocks.ts'
import { beginCreation, requireMayAsk, syncSandboxClient } from './drafts.ts'
import * as linter from './lint/linter.ts'
import { findRow } from './parties.ts'
import type { Target } from './registration-types.ts'
import { checkReviewText, checkTerms, keepVersion, refuseOtherOpen, requireComplete } from './steps.ts'
import { readForm, takeForm, toStored } from './stored-form.ts'
import { begin, type Context, registrationKind, transition, transitionIn } from './transition.ts'

/** Applies low-risk changes at once. @throws Problem `validation` naming a field whose change needs a review */
export async function changeDetails(
  core: Core,
  { form: typed, ...target }: Target & Readonly<{ form: unknown }>,
  actor: Actor,
): Promise<void> {
  const read = target.read ?? (await findRow(core.prisma, target.registrationId)) ?? undefined
  const form = takeForm(typed, actor, read && readForm(read.form))
  const outcome = await transition(core, { ...target, read }, 'change', actor, {
    guards: { low_risk: ({ row }) => requireLowRisk(row, form) },
    effects: async ({ tx, row, now }) => {
      const changes = diffRegistrations(readForm(row.form), form)
      const number = await keepVersion(tx, row.id, form, { by: actor.accountId, at: now })
      const fields = changes.map(({ label }) => label).join(', ')
      return {
        data: { form: toStored(form), name: form.name, submittedNumber: number, servingNumber: number },
        detail: { fields: changes.map(({ field }) => field) },
        emails: () => ({ 'registration-changed': { fields } }),
      }
    },
  })
  if (!outcome.repeated) await follow(core, outcome.row, form, actor)
}

function requireLowRisk(row: Registration, form: RegistrationForm): void {
  const changes = requireChanges(row, form)
  const risky = changes.find(({ field }) => !lowRiskFields.some((low) => low === field))
  if (risky)
    throw new Problem('validation', {
      field: risky.field,
      message: `Changes to this field are reviewed: ${risky.label}. Request a change instead.`,
    })
  const findings = linter.look(form).findings.filter(({ severity }) => severity === 'error')
  const wrong = findings.find(({ field }) => changes.some((change) => change.field === field))
  if (wrong) throw new Problem('validation', { field: wrong.field, message: `${wrong.reason} ${wrong.fix}` })
}

/** Brings the app's two clients in line with the form. If this fails, the next change does it. */
async function follow(core: Core, row: Registration, form: RegistrationForm, actor: Actor): Promise<void> {
  const fields = toClientFields(core, form)
  for (const clientId of [row.productionClientId, row.sandboxClientId])
    if (clientId) await clients.replace(core, clientId, fields, actor)
}

/**
 * Requests a change that needs a review. Until then, production serves the old configuration and the sandbox the new one.
 * @returns the request's id
 */
export async function requestChange(
  core: Core,
  {
    form: typed,
    reason: text,
    terms: accepted,
    ...target
  }: Target &
    Readonly<{ form: unknown; reason: string; terms: Readonly<{ version: string; sha256: string }> }>,
  actor: Actor,
): Promise<Readonly<{ registrationId: string }>> {
  const read = target.read ?? (await findRow(core.prisma, target.registrationId)) ?? undefined
  const form = takeForm(typed, actor, read && readForm(read.form))
  const reason = checkReviewText('reason', text, actor)
  checkTerms(accepted, core.registrationTexts.terms())
  requireComplete(await linter.lint(core, form))
  let registrationId: string = randomUUID()
  const outcome = await transition(core, { ...target, read }, 'request_change', actor, {
    guards: {
      change_possible: async ({ tx, row }) => {
        requireApp(row)
        await refuseOtherOpen(tx, row.id)
        requireChanges(row, form)
      },
    },
    effects: async (context) => {
      const { id, organizationId, authenticity, servingNumber } = context.row
      const change = await open(core, context, {
        actor,
        form,
        columns: {
          id: registrationId,
          kind: 'change',
          organizationId,
          reason,
          parentId: id,
          openForId: id,
          authenticity,
          // Reviewers compare the change with this version.
          requested: { replaces: servingNumber },
          termsVersion: accepted.version,
          termsSha256: accepted.sha256,
        },
        name: () => form.name,
      })
      return { detail: { change: change.id } }
    },
  })
  if (outcome.repeated) registrationId = await findRepeated(core, target)
  // Developers can try the new configuration in the sandbox during the review.
  await syncSandboxClient(core, outcome.row, form, actor)
  return { registrationId }
}

async function findRepeated({ prisma }: Core, target: { registrationId: string; idempotencyKey: string }) {
  const subject = {
    subjectKind: registrationKind,
    subjectId: target.registrationId,
    idempotencyKey: target.idempotencyKey,
  }
  const event = await prisma.workflowEvent.findUniqueOrThrow({
    where: { subjectKind_subjectId_idempotencyKey: subject },
  })
  return String((event.detail as { change?: unknown }).change)
}

/** Requests higher limits for an app or a key, or a longer term for a key. @returns the request's id */
export async function requestOther(
  core: Core,
  input: Readonly<{
    kind: 'limits' | 'key_term'
    organizationId: string
    /** A production or sandbox client id, or a key's id. */
    subjectId: string
    reason: string
    /** `limits`: requests a second and a minute. `key_term`: days from now. */
    requested: Readonly<{ burst: number; sustained: number }> | Readonly<{ days: number }>
    idempotencyKey: string
  }>,
  actor: Actor,
): Promise<Readonly<{ registrationId: string }>> {
  const { clock } = core
  const { kind, organizationId, subjectId, requested, idempotencyKey } = input
  const reason = checkReviewText('reason', input.reason, actor)
  checkRequested({ kind, about: uuidPattern.test(subjectId) ? 'key' : 'app' }, requested)
  return transact(core, async (tx) => {
    const { party, earlier } = await beginCreation(tx, { organizationId, idempotencyKey }, actor)
    if (earlier) return { registrationId: earlier.id }
    const request = await open(
      core,
      { tx, party, now: clock() },
      {
        actor,
        form: null,
        columns: { kind, organizationId, reason, subjectId, requested, authenticity: 'verified' },
        name: () => findSubject(tx, { kind, organizationId, subjectId }),
        idempotencyKey,
      },
    )
    return { registrationId: request.id }
  })
}

/** Creates a request and submits it at once: its clock starts now. */
async function open(
  core: Core,
  { tx, now, party }: Pick<Context, 'tx' | 'now'> & { party: OrganizationParty },
  request: {
    actor: Actor
    form: RegistrationForm | null
    columns: Partial<Prisma.RegistrationUncheckedCreateInput> & {
      kind: RegistrationKind
      organizationId: string
      reason: string
    }
    name: () => string | Promise<string>
    idempotencyKey?: string
  },
): Promise<Registration> {
  const { actor, form, columns, idempotencyKey } = request
  const text = columns.reason
  const row = await begin(core, tx, 'create', {
    guards: { may_ask: () => requireMayAsk(tx, actor) },
    make: async () =>
      tx.registration.create({
        data: {
          ...columns,
          createdById: actor.accountId,
          name: await request.name(),
          state: registrationWorkflow.next(null, 'create', party.kind as never),
          form: form ? toStored(form) : {},
          receivedAt: now,
          createdAt: now,
          updatedAt: now,
        },
      }),
    party,
    actor,
    now,
    text,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })
  const number = form && (await keepVersion(tx, row.id, form, { by: actor.accountId, at: now }))
  const submitted = await transitionIn(
    core,
    tx,
    { registrationId: row.id, read: row },
    'submit_request',
    { party, actor },
    {
      guards: {
        made_complete: ({ row: { kind } }) => {
          if (kind === 'app') throw new Problem('conflict')
        },
      },
      effects: () => ({
        data: { submittedNumber: number },
        text,
        emails: async () => ({
          'registration-received': { promiseDueAt: await dueOf(tx, row.id, ['promise']), ruleDueAt: null },
        }),
      }),
    },
  )
  return submitted.row
}

/** @throws Problem `conflict` if the registration is not an app's, `validation` if nothing changes */
function requireChanges(row: Registration, form: RegistrationForm) {
  requireApp(row)
  const changes = diffRegistrations(readForm(row.form), form)
  if (changes.length === 0)
    throw new Problem('validation', { field: 'form', message: 'Nothing was changed.' })
  return changes
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
        message: `Request 1 to ${most.toLocaleString('en-US')}.`,
      })
  }
  if (kind === 'key_term') within('days', keyTermDaysMax)
  else {
    within('burst', requestedLimitsMax[about].burst)
    within('sustained', requestedLimitsMax[about].sustained)
  }
}

/** @returns the name of the key or app. @throws Problem `not_found` unless it is the organization's */
async function findSubject(
  tx: Prisma.TransactionClient,
  { kind, organizationId, subjectId }: { kind: string; organizationId: string; subjectId: string },
): Promise<string> {
  const key = await tx.apiKey.findFirst({
    where: { id: rowId(subjectId), organizationId, revokedAt: null, explorer: false },
  })
  const client =
    key || kind === 'key_term'
      ? null
      : await tx.client.findFirst({ where: { id: subjectId, organizationId, removedAt: null } })
  const name = key?.name ?? client?.name
  if (name === undefined) throw new Problem('not_found')
  return name
}
