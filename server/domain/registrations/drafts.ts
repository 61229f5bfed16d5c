/** Drafts: made, saved as they are typed, and usable in the sandbox from the first save on. */
import { createHash } from 'node:crypto'
import type { Registration } from '../../../prisma/generated/client/client.ts'
import { firstDraft } from '../../contract/forms/new-app.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { RegistrationForm } from '../../contract/workflows/registration-form.ts'
import {
  type RegistrationState,
  registrationWorkflow,
} from '../../contract/workflows/registration-workflow.ts'
import type { Actor } from '../actor.ts'
import type { Core, Verb } from '../core.ts'
import { transact } from '../workflow/engine.ts'
import { beginCreation, requireMayAsk } from './creations.ts'
import * as linter from './lint/linter.ts'
import { findOwn, findParty, findRow } from './parties.ts'
import type { Registrations } from './registration-types.ts'
import { syncSandboxClient } from './sandbox-client.ts'
import { findSandboxFaults } from './sandbox-faults.ts'
import { notSilent } from './steps.ts'
import { readForm, takeForm, toStored } from './stored-form.ts'
import { begin, type TransitionTarget, transition } from './transition.ts'

type Drafts = Pick<Registrations, 'createApp' | 'saveDraft' | 'lint'>

export const saveDraft: Verb<Drafts['saveDraft']> = async (core, input, actor) => {
  const { prisma } = core
  const { registrationId } = input
  const kept = registrationId === null ? null : (input.read ?? (await findRow(prisma, registrationId)))
  const form = takeForm(input.form, actor, kept ? readForm(kept.form) : undefined)
  const row = registrationId === null ? await createOrSave() : await save(kept, { ...input, registrationId })
  const outcome =
    row.kind === 'app'
      ? await syncSandboxClient(core, row, form, actor)
      : { sandboxClientId: null, secret: null, notRegistered: null }
  return { registrationId: row.id, version: row.version, read: row, ...outcome }

  /** The same form sent again, also with other words in it, is the same registration. */
  async function createOrSave(): Promise<Registration> {
    const { row: made, isNew } = await create(core, { ...input, form }, actor)
    if (isNew) return made
    const idempotencyKey = `${input.idempotencyKey.slice(0, 40)}-${digestOf(form)}`
    return save(made, { registrationId: made.id, version: made.version, idempotencyKey })
  }

  async function save(present: Registration | null, target: TransitionTarget): Promise<Registration> {
    if (!present) throw new Problem('not_found')
    await findParty(prisma, present, actor)
    if (isUnchanged(present, form)) return present
    const saved = await transition(core, { ...target, read: present }, 'save', actor, {
      effects: ({ row: before, now }) => ({
        data: { form: toStored(form), name: form.name, ...notSilent(before, now) },
      }),
    })
    return saved.row
  }
}

export const createApp: Verb<Drafts['createApp']> = async (core, input, actor) => {
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
      guards: { may_ask: () => requireMayAsk(tx, organizationId, actor) },
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

export const lint: Verb<Drafts['lint']> = async (core, registrationId, actor, read) =>
  linter.lint(core, readForm((read ?? (await findOwn(core.prisma, registrationId, actor))).form))

/** Autosave sends a lot that is not new. */
function isUnchanged(present: Registration, form: RegistrationForm): boolean {
  const savable: readonly string[] = ['draft', 'needs_info'] satisfies RegistrationState[]
  return savable.includes(present.state) && JSON.stringify(readForm(present.form)) === JSON.stringify(form)
}

const digestOf = (form: RegistrationForm) =>
  createHash('sha256').update(JSON.stringify(form)).digest('base64url').slice(0, 22)
