import { expect, test } from 'vitest'
import { groupRefusals } from './refusals.ts'

const [intake, nightly] = ['intake', 'nightly'].map((name) => ({ name, to: `/keys/${name}` }))
const call = { method: 'GET', route: '/patients', status: 400, refusalReason: 'validation:limit', count: 1 }

test('calls of one key, refused for one reason, are one line, the most frequent first', () => {
  if (!intake || !nightly) throw new Error('no keys')
  const calls = [
    { ...call, key: intake },
    { ...call, key: nightly },
    { ...call, key: nightly, count: 4 },
    { ...call, key: nightly, refusalReason: 'read_only' },
    { ...call, key: nightly, route: '/staff' },
  ]

  expect(groupRefusals(calls).map(({ key, calls: times }) => [key.name, times])).toEqual([
    ['nightly', 5],
    ['intake', 1],
    ['nightly', 1],
  ])
  expect(groupRefusals([])).toEqual([])
})
