/** Answers are kept first and submitted then: a process that ends between the two loses nothing. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'

const support = registrationSupport(() => services)
const { target, reviews } = support

const services = await registrationServices()

test('what was answered stands when the process ends before it is submitted, and the same form goes on from there', async () => {
  const { rae } = await support.makeReviewTeam()
  const { registrationId, owner } = await support.makeClaimed(rae)
  const items = [{ code: 'redirect_unclear', text: 'Whose address is this?' }]
  await reviews().requestInfo({ ...(await target(registrationId)), items }, rae.fresh())
  const [item] = (await services.registrations.get(registrationId, owner)).items
  const key = randomUUID()
  const form = { ...(await target(registrationId)), idempotencyKey: `${key}-a`.slice(-64) }
  const answers = [{ itemId: item?.id ?? '', text: 'It is the address of our test installation.' }]

  // The page's first half, and then nothing more.
  await services.registrations.answer({ ...form, answers }, owner.actor)
  const left = await services.registrations.get(registrationId, owner)
  expect(left).toMatchObject({ state: 'needs_info', items: [{ answer: answers[0]?.text }] })

  // The browser sends the very form again.
  await services.registrations.answer({ ...form, answers }, owner.actor)
  const { version } = await services.registrations.get(registrationId, owner)
  const submission = { registrationId, version, idempotencyKey: key }
  await services.registrations.resubmit(submission, owner.actor)
  await services.registrations.resubmit(submission, owner.actor)

  expect(await support.stateOf(registrationId)).toBe('resubmitted')
  const steps = await services.prisma.registrationEvent.findMany({
    where: { registrationId, event: { in: ['save', 'resubmit'] } },
  })
  expect(steps.map(({ event }) => event).sort()).toEqual(['resubmit', 'save'])
})
