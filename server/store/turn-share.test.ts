import { expect, test } from 'vitest'
import { createTurnShare } from './pool.ts'

const database = {}

test('callers of one turn share a question, which is asked after all of them', async () => {
  const share = createTurnShare<string>()
  let state = 'before'
  let asked = 0
  const ask = async () => {
    asked++
    return state
  }

  const answers = Promise.all([
    share(database, 'role', ask),
    Promise.resolve().then(() => share(database, 'role', ask)),
  ])
  state = 'after'

  expect(await answers).toEqual(['after', 'after'])
  expect(asked).toBe(1)
})

test('a caller of a later turn never gets what was read before it', async () => {
  const share = createTurnShare<string>()
  let state = 'member'
  const slow = async () => {
    const read = state
    await new Promise((resolve) => setTimeout(resolve, 20))
    return read
  }

  const first = share(database, 'role', slow)
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  state = 'removed'

  expect(await share(database, 'role', slow)).toBe('removed')
  expect(await first).toBe('member')
})

test('another name, a transaction and a failed question share nothing', async () => {
  const share = createTurnShare<string>()
  const ask = (answer: string) => async () => answer
  const failing = () => Promise.reject(new Error('lost'))

  const answers = await Promise.all([
    share(database, 'one', ask('one')),
    share(database, 'two', ask('two')),
    share({}, 'one', ask('transaction')),
  ])

  expect(answers).toEqual(['one', 'two', 'transaction'])
  await expect(share(database, 'one', failing)).rejects.toThrow('lost')
  expect(await share(database, 'one', ask('again'))).toBe('again')
})
