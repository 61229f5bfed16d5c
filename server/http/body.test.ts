import { expect, test } from 'vitest'
import { readBody, setBodyAddress } from './body.ts'

const post = (body: ReadableStream<Uint8Array>) =>
  new Request('http://localhost', { method: 'POST', body, duplex: 'half' } as RequestInit)

test('bodies of one address hold a bounded number of bytes while they are received, and others are not refused', async () => {
  const slow = () => {
    let sent: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        sent = controller
      },
    })
    const request = post(body)
    setBodyAddress(request, '198.51.100.7')
    const read = readBody(request, 10_000_000).then(
      () => 'read',
      ({ kind }) => kind,
    )
    return {
      send: (bytes: number) => sent?.enqueue(new Uint8Array(bytes)),
      close: () => sent?.close(),
      read,
    }
  }
  const senders = [slow(), slow(), slow(), slow()]
  for (const { send } of senders) send(9_000_000)
  await new Promise(setImmediate)
  const other = post(new Blob(['a'.repeat(1_000)]).stream())
  setBodyAddress(other, '203.0.113.9')

  expect((await readBody(other)).byteLength).toBe(1_000)
  expect(await senders[3]?.read).toBe('rate_limited')
  for (const { close } of senders.slice(0, 3)) close()
  expect(await Promise.all(senders.slice(0, 3).map(({ read }) => read))).toEqual(['read', 'read', 'read'])
  const again = slow()
  again.send(9_000_000)
  again.close()
  expect(await again.read).toBe('read')
})
