import { expect, test } from 'vitest'
import { faultHeader, faultWaitsMax } from '../../contract/lab/faults.ts'
import type { ActiveFaults } from './active-faults.ts'
import { createFaults } from './inject-fault.ts'

/** Faults by header ask nobody what is switched on. */
const noSwitches = {} as ActiveFaults

function lab() {
  const waiting: (() => void)[] = []
  const faults = createFaults({
    active: noSwitches,
    pause: () => new Promise((end) => void waiting.push(end)),
  })
  const ask = (keyId: string) =>
    faults.inject(
      {
        request: new Request('https://portal.example/', { headers: { [faultHeader]: 'latency' } }),
        alive: true,
        fault: null,
      },
      {
        environment: 'sandbox',
        subject: { keyId },
        api: 'rest',
        occasion: 'call',
        confirm: async () => {},
      },
    )
  const arrive = () => new Promise((resolve) => setImmediate(resolve))
  return { waiting, ask, arrive }
}

test('one key waits for so many slow answers at a time, and has a place again when one has come', async () => {
  const { waiting, ask, arrive } = lab()
  const slow = Array.from({ length: faultWaitsMax.ofOne }, () => ask('one'))
  await arrive()

  await expect(ask('one')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
  const other = ask('other')
  waiting.shift()?.()
  await slow[0]
  const again = ask('one')
  await arrive()
  for (const end of waiting) end()

  await Promise.all([...slow, other, again])
  expect(waiting).toHaveLength(faultWaitsMax.ofOne + 1)
})

test('all together wait for no more than one process bears', async () => {
  const { waiting, ask, arrive } = lab()
  const slow = Array.from({ length: faultWaitsMax.inAll }, (_, n) => ask(`key ${n}`))
  await arrive()

  await expect(ask('one more')).rejects.toMatchObject({ kind: 'unavailable' })
  for (const end of waiting) end()
  await Promise.all(slow)
})
