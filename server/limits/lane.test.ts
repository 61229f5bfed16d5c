import { expect, test } from 'vitest'
import { createLane } from './load-shedding.ts'

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

test('one begins per turn of the event loop, whatever else is ready goes first', async () => {
  const lane = createLane({ atOnceMax: 10, waitingMax: 10 })
  const begun: string[] = []
  for (const name of ['a', 'b', 'c']) void lane.enter()?.then(() => begun.push(name))
  void Promise.resolve().then(() => begun.push('read'))

  await turnOfTheLoop()
  expect(begun).toEqual(['read', 'a'])
  await turnOfTheLoop()
  expect(begun).toEqual(['read', 'a', 'b'])
  await turnOfTheLoop()
  expect(begun).toEqual(['read', 'a', 'b', 'c'])
})

test('no more than so many run at once, in the order in which they came', async () => {
  const lane = createLane({ atOnceMax: 2, waitingMax: 10 })
  const begun: number[] = []
  const leaves: (() => void)[] = []
  for (const each of [1, 2, 3, 4])
    void lane.enter()?.then((leave) => {
      begun.push(each)
      leaves.push(leave)
    })
  for (let turn = 0; turn < 5; turn++) await turnOfTheLoop()

  expect(begun).toEqual([1, 2])
  leaves[0]?.()
  for (let turn = 0; turn < 5; turn++) await turnOfTheLoop()
  expect(begun).toEqual([1, 2, 3])
})

test('who comes when too many are waiting is told so', async () => {
  const lane = createLane({ atOnceMax: 1, waitingMax: 2 })

  expect([lane.enter(), lane.enter(), lane.enter()].map((turn) => turn === null)).toEqual([
    false,
    false,
    true,
  ])
  await turnOfTheLoop()
  expect(lane.enter()).not.toBeNull()
})
