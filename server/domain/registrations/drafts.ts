/** Drafts of registrations: they are saved while the developer types, and work in the sandbox from the first save on. */

import { createHash } from 'node:crypto'
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import type { NewApp } from '../../contract/forms/new-app.ts'
import { firstDraft } from '../../contract/forms/new-app.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { LintReport } from '../../contract/workflows/lint-findings.ts'
import type { RegistrationForm } from '../../contract/workflows/registration-form.ts'
import {
  type RegistrationState,
  registrationWorkflow,
} from '../../contract/workflows/registration-workflow.ts'
import type { Actor } from '../actor.ts'
import * as clients from '../clients/clients.ts'
import type { Core } from '../core.ts'
import { findOrganizationParty, type OrganizationParty } from '../organizations/membership.ts'
import * as sandboxes from '../practices/organization-sandbox.ts'
import { transact } from '../workflow/engine.ts'
import { findSandboxFaults, toClientFields } from './apply-approved.ts'
import * as linter from './lint/linter.ts'
import { findOwn, findRow } from './parties.ts'
import type { SavedDraft } from './registration-types.ts'
import { resetSilence } from './steps.ts'
import { readForm, takeForm, toStored } from './stored-form.ts'
import { begin, registrationKind, type TransitionTarget, transition } from './transition.ts'

/**
 * Creates or saves a draft, or saves the form again while reviewers wait for answers. A form without sandbox faults
 * gets a working sandbox client id.
 * @param input.registrationId null creates a draft
 * @throws Problem `validation` (a secret in it, or not a form), `not_found`, `forbidden`, `conflict` (version, state)
 */
export async function saveDraft(
  core: Core,
  input: Readonly<{
    registrationId: string | null
    organizationId: string
    form: unknown
    version: number | null
    idempotencyKey: string
    follows?: string | undefined
    read?: Registration | undefined
  }>,
  actor: Actor,
): Promise<SavedDraft> {
  const { prisma } = core
  const { registrationId } = input
  const stored = registrationId === null ? null : (input.read ?? (await findRow(prisma, registrationId)))
  const form = takeForm(input.form, actor, stored ? readForm(stored.form) : undefined)
  const row =
    registrationId === null ? await createOrSave() : await save(stored, { ...input, registrationId })
  const outcome =
    row.kind === 'app'
      ? await syncSandboxClient(core, row, form, actor)
      : { sandboxClientId: null, secret: null, notRegistered: null }
  return { registrationId: row.id, version: row.version, read: row, ...outcome }

  /** The same form sent twice is one registration, even if its texts were edited in between. */
  async function createOrSave(): Promise<Registration> {
    const { row: created, isNew } = await create(core, { ...input, form }, actor)
    if (isNew) return created
    const idempotencyKey = `${input.idempotencyKey.slice(0, 40)}-${digestOf(form)}`
    return save(created, { registrationId: created.id, version: created.version, idempotencyKey })
  }

  async function save(present: Registration | null, target: TransitionTarget): Promise<Registration> {
    if (!present) throw new Problem('not_found')
    await findOrganizationParty(prisma, present, actor)
    if (isUnchanged(present, form)) return present
    const saved = await transition(core, { ...target, read: present }, 'save', actor, {
      effects: ({ row: before, now }) => ({
        data: { form: toStored(form), name: form.name, ...resetSilence(before, now) },
      }),
    })
    return saved.row
  }
}

/**
 * Creates a draft together with its sandbox client. The same form sent twice creates one.
 * @throws Problem as `saveDraft`, and `validation` for a value that a sandbox client can't have
 */
export async function createApp(
  core: Core,
  input: Readonly<{ organizationId: string; app: NewApp; idempotencyKey: string }>,
  actor: Actor,
): Promise<SavedDraft> {
  const form = takeForm(firstDraft(input.app), actor)
  const [fault] = findSandboxFaults(form)
  if (fault) throw new Problem('validation', fault)
  return saveDraft(core, { ...input, form, registrationId: null, version: null }, actor)
}

async function create(
  core: Core,
  input: { organizationId: string; form: RegistrationForm; idempotencyKey: string },
  actor: Actor,
): Promise<{ row: Registration; isNew: boolean }> {
  const { clock } = core
  const { organizationId, form, idempotencyKey } = input
  return transact(core, async (tx) => {
    const { party, earlier } = await beginCreation(tx, input, actor)
    if (earlier) return { row: earlier, isNew: false }
    const now = clock()
    const row = await begin(core, tx, 'create', {
      guards: { may_ask: () => requireMayAsk(tx, actor) },
      make: () =>
        tx.registration.create({
          data: {
            kind: 'app',
            organizationId,
            createdById: actor.accountId,
            name: form.name,
            state: registrationWorkflow.next(null, 'create', party.kind as never),
            form: toStored(form),
            createdAt: now,
            updatedAt: now,
          },
        }),
      party,
      actor,
      now,
      idempotencyKey,
    })
    return { row, isNew: true }
  })
}

/** Lints the saved form; errors keep it from being submitted. */
export async function lint(
  core: Core,
  registrationId: string,
  actor: Pick<Actor, 'accountId'>,
  read?: Registration,
): Promise<LintReport> {
  return linter.lint(core, readForm((read ?? (await findOwn(core.prisma, registrationId, actor))).form))
}

/** Autosave often sends a form without a change: such a save makes no step. */
function isUnchanged(present: Registration, form: RegistrationForm): boolean {
  const savable: readonly string[] = ['draft', 'needs_info'] satisfies RegistrationState[]
  return savable.includes(present.state) && JSON.stringify(readForm(present.form)) === JSON.stringify(form)
}

const digestOf = (form: RegistrationForm) =>
  createHash('sha256').update(JSON.stringify(form)).digest('base64url').slice(0, 22)

// The creation of a request of any kind.

/**
 * Finds the requester's party, and the request that the same form has created already. Of two concurrent submissions
 * the second waits for the first. @throws Problem `not_found` unless the actor is of the organization
 */
export async function beginCreation(
  tx: Prisma.TransactionClient,
  { organizationId, idempotencyKey }: { organizationId: string; idempotencyKey: string },
  actor: Actor,
): Promise<{ party: OrganizationParty; earlier: Registration | null }> {
  if (!uuidPattern.test(organizationId)) throw new Problem('not_found')
  await lockKey(tx, `${actor.accountId} ${idempotencyKey}`)
  const party = await findOrganizationParty(tx, { organizationId }, actor)
  const events = await tx.workflowEvent.findMany({
    where: { subjectKind: registrationKind, event: 'create', actorId: actor.accountId, idempotencyKey },
    select: { subjectId: true },
  })
  const ids = events.map(({ subjectId }) => subjectId)
  const earlier = await tx.registration.findFirst({ where: { id: { in: ids }, organizationId } })
  return { party, earlier }
}

async function lockKey(tx: Prisma.TransactionClient, key: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 20261122))`
}

/** @throws Problem `forbidden` if the account's email address is not confirmed */
export async function requireMayAsk(
  tx: Prisma.TransactionClient,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<void> {
  const account = await tx.account.findUnique({
    where: { id: accountId },
    select: { emailVerifiedAt: true },
  })
  if (!account?.emailVerifiedAt)
    throw new Problem('forbidden', { message: 'Confirm your email address first.' })
}

// The sandbox client of a draft. It works once the form has no sandbox faults, and its id never changes.

type SandboxOutcome = Readonly<{
  sandboxClientId: string | null
  /** The secret of a new confidential app. Only this result contains it. */
  secret: string | null
  notRegistered: Readonly<{ field: string; message: string }> | null
}>

/** Creates or updates the sandbox client, unless the form has a fault. Safe to repeat: one registration has one client. */
export async function syncSandboxClient(
  core: Core,
  row: Pick<Registration, 'id' | 'organizationId' | 'sandboxClientId'>,
  form: RegistrationForm,
  actor: Actor,
): Promise<SandboxOutcome> {
  const [fault] = findSandboxFaults(form)
  if (fault) return { sandboxClientId: row.sandboxClientId, secret: null, notRegistered: fault }
  try {
    const fields = toClientFields(core, form)
    if (row.sandboxClientId) {
      await clients.replace(core, row.sandboxClientId, fields, actor)
      return { sandboxClientId: row.sandboxClientId, secret: null, notRegistered: null }
    }
    await sandboxes.ensure(core, row.organizationId, { writable: false })
    const { client, secret } = await clients.create(
      core,
      { ...fields, appId: row.id, organizationId: row.organizationId, environment: 'sandbox' },
      actor,
    )
    await storeClientId(core, row.id, client.clientId)
    return { sandboxClientId: client.clientId, secret, notRegistered: null }
  } catch (thrown) {
    if (isProblem(thrown) && thrown.kind === 'conflict') return adopt(core, row)
    throw thrown
  }
}

async function storeClientId({ prisma }: Core, id: string, sandboxClientId: string): Promise<void> {
  await prisma.registration.updateMany({ where: { id, sandboxClientId: null }, data: { sandboxClientId } })
}

/** Takes over a client that a concurrent save created, or a process that ended before it stored the client's id. */
async function adopt(core: Core, row: Pick<Registration, 'id' | 'sandboxClientId'>): Promise<SandboxOutcome> {
  const { prisma } = core
  const client = await prisma.client.findUnique({
    where: { appId_environment: { appId: row.id, environment: 'sandbox' } },
    select: { id: true },
  })
  if (client) await storeClientId(core, row.id, client.id)
  return { sandboxClientId: client?.id ?? row.sandboxClientId, secret: null, notRegistered: null }
}
