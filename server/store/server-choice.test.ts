import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createServerChoice } from './server-choice.ts'

const one = { host: 'one', port: 1 }
const two = { host: 'two', port: 2 }

/** Two servers of which some are a primary, some are not, and some never answer. */
function choose(primaries: Set<object>, silent: Set<object> = new Set()) {
  const asked: string[] = []
  const choice = createServerChoice(
    [one, two],
    (server) => {
      asked.push(server.host)
      if (silent.has(server)) return new Promise(() => {})
      return primaries.has(server)
        ? Promise.resolve()
        : Promise.reject(new Error(`${server.host} is a standby`))
    },
    (errors) => new Error(errors.map((error) => (error as Error).message).join('; ')),
  )
  return { choice, asked }
}

test('whichever was promoted is found once the old one is forgotten', async () => {
  const primaries = new Set<object>([one])
  const { choice } = choose(primaries)
  await choice.find()
  primaries.clear()
  primaries.add(two)

  choice.forget(two)
  expect(await choice.find()).toBe(one)
  choice.forget(one)
  expect(await choice.find()).toBe(two)
})

test('a server that does not answer is passed over', async () => {
  const { choice } = choose(new Set([two]), new Set([one]))

  expect(await choice.find()).toBe(two)
})

test('without a primary the reasons of all are told, and a crowd asks each of them once', async () => {
  const primaries = new Set<object>()
  const { choice, asked } = choose(primaries)

  const told = await Promise.allSettled(Array.from({ length: 50 }, () => choice.find()))

  expect(new Set(told.map((each) => each.status === 'rejected' && each.reason.message))).toEqual(
    new Set(['one is a standby; two is a standby']),
  )
  expect(asked).toEqual(['one', 'two'])
  primaries.add(two)
  await sleep(150)
  expect(await choice.find()).toBe(two)
})
