/** Drafts: made, saved as they are typed, and usable in the sandbox from the first save on. */
import { createHash } from 'node:crypto'
import type { Registration } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/problems.ts'
import type { RegistrationForm } from '../../contract/registration-form.ts'
import { type RegistrationState, registrationWorkflow } from '../../contract/registration-workflow.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import type { Actor } from '../actor.ts'
import { beginCreation } from './creations.ts'
import { findParty } from './parties.ts'
import type { Registrations } from './registration-types.ts'
import type { RegistrationRooms } from './rooms.ts'
import { readForm, takeForm, toStored } from './stored-form.ts'

export function createDrafts({ prisma, clock, portalAudit, walk, sandboxClient, linter }: RegistrationRooms) {
  const saveDraft: Registrations['saveDraft'] = async (input, actor) => {
    const { registrationId } = input
    const kept = registrationId
      ? await prisma.registration.findUnique({ where: { id: registrationId }, select: { form: true } })
      : null
    const form = takeForm(input.form, actor, kept?.form ? readForm(kept.form) : undefined)
    const row = input.registrationId
      ? await save({ ...input, registrationId: input.registrationId }, actor)
      : await createOrSave()
    const outcome =
      row.kind === 'app'
        ? await sandboxClient(row, form, actor)
        : { sandboxClientId: null, secret: null, notRegistered: null }
    return { registrationId: row.id, version: row.version, ...outcome }

    /** The same form sent again, also with other words in it, is the same registration. */
    async function createOrSave(): Promise<Registration> {
      const { row: made, isNew } = await create(input, actor)
      if (isNew) return made
      const idempotencyKey = `${input.idempotencyKey.slice(0, 40)}-${digestOf(form)}`
      return save({ registrationId: made.id, version: made.version, idempotencyKey }, actor)
    }

    async function save(
      target: { registrationId: string; version: number | null; idempotencyKey: string },
      by: Actor,
    ): Promise<Registration> {
      const present = await findOwn(target.registrationId, by)
      if (isUnchanged(present)) return present
      const saved = await walk.step(target, 'save', by, ({ row: before, now }) => ({
        data: { form: toStored(form), name: form.name, ...heard(before, now) },
      }))
      return saved.row
    }

    /** Autosave sends a lot that is not new. */
    function isUnchanged(present: Registration): boolean {
      const savable: readonly string[] = ['draft', 'needs_info'] satisfies RegistrationState[]
      return (
        savable.includes(present.state) && JSON.stringify(readForm(present.form)) === JSON.stringify(form)
      )
    }
  }

  async function create(
    input: Parameters<Registrations['saveDraft']>[0],
    actor: Actor,
  ): Promise<{ row: Registration; isNew: boolean }> {
    const { organizationId, idempotencyKey } = input
    const form = takeForm(input.form, actor)
    return prisma.$transaction(async (tx) => {
      const { party, earlier } = await beginCreation(tx, { organizationId, idempotencyKey }, actor)
      if (earlier) return { row: earlier, isNew: false }
      const to = registrationWorkflow.next(null, 'create', party.kind as never)
      const now = clock()
      const row = await tx.registration.create({
        data: {
          kind: 'app',
          organizationId,
          createdById: actor.accountId,
          name: form.name,
          state: to,
          form: toStored(form),
          createdAt: now,
          updatedAt: now,
        },
      })
      await tx.registrationEvent.create({
        data: {
          registrationId: row.id,
          at: now,
          event: 'create',
          to,
          actorKind: party.kind,
          actorId: actor.accountId,
          idempotencyKey,
        },
        select: { id: true },
      })
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        organizationId,
        action: 'registration.create',
        subject: { kind: 'registration', id: row.id },
        detail: { from: null, to, codes: [] },
      })
      return { row, isNew: true }
    })
  }

  const lint: Registrations['lint'] = async (registrationId, actor) =>
    linter.lint(readForm((await findOwn(registrationId, actor)).form))

  /** @throws Problem `not_found` unless the actor is of its organization, or of the staff */
  async function findOwn(registrationId: string, actor: Pick<Actor, 'accountId'>): Promise<Registration> {
    const row = uuidPattern.test(registrationId)
      ? await prisma.registration.findUnique({ where: { id: registrationId } })
      : null
    if (!row) throw new Problem('not_found')
    await findParty(prisma, row, actor)
    return row
  }

  return { saveDraft, lint, findOwn }
}

const digestOf = (form: RegistrationForm) =>
  createHash('sha256').update(JSON.stringify(form)).digest('base64url').slice(0, 22)

/** Whoever works on it is not silent. */
export function heard({ silentSince }: Pick<Registration, 'silentSince'>, now: Date) {
  return silentSince === null ? {} : { silentSince: now, reminders: 0 }
}
