import { expect, test } from 'vitest'
import { testServices } from '../../../tests/support/services.ts'

const hour = 3_600_000

const services = await testServices({ template: 'schema' })

const publishedIds = async () => (await services.signingKeys.publicJwks()).keys.map(({ kid }) => kid)

test('a key signs only after it was published for a day, however often and by however many it is rotated', async () => {
  const { signingKeys, prisma, clock, advance } = services
  await signingKeys.ensure()
  const before = await publishedIds()

  const early = await signingKeys.rotate()
  expect(early).toMatchObject({ rotated: false, readyAt: new Date(clock().getTime() + 24 * hour) })
  expect(await publishedIds()).toEqual(before)
  expect(await prisma.auditEvent.count({ where: { action: 'signing_key.rotated' } })).toBe(0)

  advance(24 * hour - 1)
  expect(await signingKeys.rotate()).toMatchObject({ rotated: false, current: early.current })
  advance(1)
  const both = await Promise.all([signingKeys.rotate(), signingKeys.rotate()])
  expect(both.filter(({ rotated }) => rotated)).toMatchObject([{ current: early.next }])
  const [again] = both.filter(({ rotated }) => !rotated)
  expect(again).toMatchObject({ current: early.next })
  expect(before).toContain(early.next)
})
