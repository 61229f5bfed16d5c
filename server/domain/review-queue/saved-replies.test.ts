import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { savedRepliesMax } from '../../contract/workflows/saved-replies.ts'

let services: TestServices
const support = registrationSupport(() => services)
const reply = {
  reason: 'question:description_unclear',
  title: 'Who uses it',
  text: 'Say who uses {app} of {organization}. Answer by {due date}.',
} as const

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

test('a reply is shared by all reviewers, and filled with the facts of a request', async () => {
  const { rae, kit } = await support.makeReviewTeam()

  await services.savedReplies.addReply(reply, rae.fresh())
  const [saved] = await services.savedReplies.listReplies({ purpose: 'question' }, kit)
  const filled = await services.savedReplies.readFilledReply(
    { id: saved?.id ?? '', app: 'Tidepath {organization}', organization: 'Samplewood' },
    kit,
  )

  expect(saved).toMatchObject({ purpose: 'question', code: 'description_unclear', title: 'Who uses it' })
  expect(filled?.text).toMatch(
    /^Say who uses Tidepath \{organization\} of Samplewood\. Answer by \w{3} \d+ \w{3} \d{4}, \S+ time\.$/,
  )
  expect(await services.savedReplies.listReplies({ purpose: 'rejection' }, kit)).toEqual([])
})

test('a reply is changed and deleted by any reviewer, and a change of a version that is gone is refused', async () => {
  const { rae, kit } = await support.makeReviewTeam()
  const { savedReplies } = services
  await savedReplies.addReply({ ...reply, title: 'To change' }, rae.fresh())
  const find = async () => (await savedReplies.listReplies({}, rae)).find(({ title }) => /^To /.test(title))
  const { id = '', version = 0 } = (await find()) ?? {}
  const changed = { ...reply, id, version, title: 'To change again', reason: 'rejection:misleads' } as const

  await savedReplies.changeReply(changed, kit.fresh())

  expect(await find()).toMatchObject({ title: 'To change again', purpose: 'rejection', version: version + 1 })
  expect(await kindOfProblem(savedReplies.changeReply(changed, rae.fresh()))).toBe('conflict')
  await savedReplies.deleteReply({ id }, kit.fresh())
  expect(await find()).toBeUndefined()
  expect(await kindOfProblem(savedReplies.deleteReply({ id }, kit.fresh()))).toBe('not_found')
  expect(await savedReplies.readFilledReply({ id, app: 'x', organization: 'y' }, kit)).toBeNull()
})

test('an unknown field, a secret and a full list are refused; others than reviewers are', async () => {
  const { rae, ops } = await support.makeReviewTeam()
  const { owner } = await support.makeTeam()
  const { savedReplies, prisma, clock } = services
  const add = (changes: object, who = rae.fresh()) =>
    kindOfProblem(savedReplies.addReply({ ...reply, ...changes }, who))

  expect(await add({ text: 'Dear {name}, say who uses it.' })).toBe('validation')
  expect(await add({ reason: 'sandbox_question:purpose' }), 'it has no due date').toBe('validation')
  expect(await add({ text: 'Our key is svc_t0123456abcdefghijklmnopqrstuvwxyz0123456789ABCD.' })).not.toBe(
    'none',
  )
  expect(await add({}, ops.fresh())).toBe('forbidden')
  expect(await add({}, owner.actor)).toBe('forbidden')
  const at = clock()
  await prisma.savedReply.createMany({
    data: Array.from({ length: savedRepliesMax }, () => ({
      ...{ id: randomUUID(), purpose: 'question', code: 'link_broken', title: 'Full', text: 'Full.' },
      ...{ createdById: rae.accountId, createdAt: at, updatedAt: at },
    })),
  })
  expect(await add({})).toBe('conflict')
})
