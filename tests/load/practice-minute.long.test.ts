/** The longest window of a practice through the whole API: too many requests for every run. */
import { beforeAll, expect, test } from 'vitest'
import { windowTable } from '../../server/contract/http/limits.ts'
import { type RestStack, restStack } from '../support/rest.ts'

const [second, minute] = windowTable.restPractice.windows
const keysUsed = 4
/** Of every key in a second, a little more together than the practice has. */
const eachSecond = second.requests / keysUsed + 5
const atOnce = 16

let stack: RestStack

beforeAll(async () => {
  stack = await restStack()
})

test(`a practice is served exactly ${minute.requests} times in a minute, over all its keys`, async () => {
  const { clock, advance } = stack.services
  advance(60_000 - (clock().getTime() % 60_000))
  const keys = await Promise.all(
    Array.from({ length: keysUsed }, () => stack.issueKey({ practice: 'sandbox-template' })),
  )
  const seconds = minute.requests / second.requests

  const served: number[] = []
  for (let at = 0; at < seconds; at++) {
    served.push(await servedOf(keys, eachSecond * keysUsed))
    advance(1_000)
  }

  expect(served).toEqual(Array(seconds).fill(second.requests))
  const refused = await stack.call('/nowhere', { key: keys[0]?.key ?? '' })
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe(`${60 - seconds}`)
  advance((60 - seconds) * 1_000)
  expect(await servedOf(keys, 1)).toBe(1)
})

/** How many of so many calls were let in, each key called as often as the others. */
async function servedOf(keys: readonly { key: string }[], calls: number): Promise<number> {
  let next = 0
  let served = 0
  const lane = async () => {
    while (next < calls) {
      const { key } = keys[next++ % keys.length] as { key: string }
      const { status } = await stack.call('/nowhere', { key })
      if (status === 404) served++
      else expect(status).toBe(429)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return served
}
