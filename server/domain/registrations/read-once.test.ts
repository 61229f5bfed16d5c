/** Statements of a whole request, as the page's action makes it: the registration's row is read once. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  completeForm,
  registrationServices,
  registrationSupport,
} from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import type { Actor } from '../actor.ts'
import type { OpenRegistration } from './registration-types.ts'

let services: TestServices
const support = registrationSupport(() => services)
const { acceptedTerms, reviews, target } = support

beforeAll(async () => {
  services = await registrationServices()
})

afterEach(() => void vi.restoreAllMocks())

/** SELECTs that read the form of this row: it is a part of every whole row. */
function countReads(id: string): () => number {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  return () =>
    query.mock.calls.filter(([statement, second]) => {
      const { text, values } = statement as unknown as { text?: string; values?: readonly unknown[] }
      const sql = text ?? String(statement)
      const given = values ?? (Array.isArray(second) ? (second as readonly unknown[]) : [])
      return /^\s*SELECT\b/i.test(sql) && /"registration"\."form"/.test(sql) && given.includes(id)
    }).length
}

type Step = (open: OpenRegistration, actor: Actor) => Promise<unknown>

/** The page's action: it opens the registration of its address, and hands it to the step. */
async function readsOf(registrationId: string, actor: Actor, step: Step): Promise<number> {
  const reads = countReads(registrationId)
  await step(await services.registrations.open(registrationId, actor), actor)
  return reads()
}

const form = (open: OpenRegistration) => ({
  registrationId: open.id,
  read: open.read,
  version: open.version,
  idempotencyKey: randomUUID(),
})
const moved = completeForm({ redirectUris: ['https://app.tidepath.example/new'] })
const described = completeForm({ description: 'Shows people their lab results, and nothing else at all.' })

const steps: Readonly<Record<string, readonly [make: () => Promise<Made>, step: Step]>> = {
  saveDraft: [
    () => support.draft(),
    (open, actor) =>
      services.registrations.saveDraft(
        { ...form(open), organizationId: open.organizationId, form: moved },
        actor,
      ),
  ],
  submit: [
    () => support.draft(),
    (open, actor) => services.registrations.submit({ ...form(open), terms: acceptedTerms() }, actor),
  ],
  'answer and resubmit': [
    () => asked(),
    async (open, actor) => {
      const { items } = await services.prisma.registration.findUniqueOrThrow({
        where: { id: open.id },
        select: { items: true },
      })
      const answers = items.map(({ id }) => ({ itemId: id, text: 'It is mended now.' }))
      const saved = await services.registrations.answer({ ...form(open), answers }, actor)
      await services.registrations.resubmit({ ...form(open), ...saved }, actor)
    },
  ],
  changeDetails: [
    () => enabled(),
    (open, actor) => services.registrations.changeDetails({ ...form(open), form: described }, actor),
  ],
  requestChange: [
    () => enabled(),
    (open, actor) =>
      services.registrations.requestChange(
        { ...form(open), form: moved, reason: 'We moved our callback.', terms: acceptedTerms() },
        actor,
      ),
  ],
  withdraw: [() => support.draft(), (open, actor) => services.registrations.withdraw(form(open), actor)],
}

test.each(Object.keys(steps))('%s reads the row once', async (name) => {
  const [make, step] = steps[name] ?? []
  if (!make || !step) throw new Error(name)
  const { registrationId, owner } = await make()

  expect(await readsOf(registrationId, owner.actor, step)).toBe(1)
})

test('a row that was changed since is read again, and the step is a conflict', async () => {
  const { registrationId, owner } = await support.draft()
  const reads = countReads(registrationId)
  const open = await services.registrations.open(registrationId, owner.actor)
  const { version, ...others } = form(open)
  await services.registrations.saveDraft(
    { ...others, read: undefined, version, organizationId: open.organizationId, form: moved },
    owner.actor,
  )
  const before = reads()

  await expect(services.registrations.withdraw({ ...others, version }, owner.actor)).rejects.toMatchObject({
    kind: 'conflict',
  })
  expect(reads() - before).toBe(1)
})

type Made = Readonly<{ registrationId: string; owner: { actor: Actor } }>

async function asked(): Promise<Made> {
  const made = await support.submitted()
  const { rae } = await support.makeReviewTeam()
  await reviews().claim(await target(made.registrationId), rae.fresh())
  const items = [{ code: 'link_broken', text: 'The privacy policy.' }]
  await reviews().requestInfo({ ...(await target(made.registrationId)), items }, rae.fresh())
  return made
}

async function enabled(): Promise<Made> {
  const made = await support.submitted()
  const { rae } = await support.makeReviewTeam()
  await reviews().claim(await target(made.registrationId), rae.fresh())
  await support.approve(made.registrationId, rae)
  await services.registrations.enable(made.registrationId)
  return made
}
