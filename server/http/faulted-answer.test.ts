import { expect, test } from 'vitest'
import { parseFaultHeader } from '../contract/lab/fault-script.ts'
import { faultedAnswer } from './faults.ts'

const truncated = parseFaultHeader('truncated')
const mebibyte = 1_048_576
const plain = () => ({ env: undefined, var: { edge: { injected: false } } })

test('of an answer that comes in pieces no more is held than is sent', async () => {
  const piece = new Uint8Array(65_536).fill(97)
  let made = 0
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      made += piece.length
      if (made > 64 * mebibyte) controller.close()
      else controller.enqueue(piece)
    },
    cancel() {
      cancelled = true
    },
  })
  const answer = new Response(body, { headers: { 'content-length': String(64 * mebibyte) } })

  const short = await faultedAnswer(answer, truncated, plain())

  expect((await short.arrayBuffer()).byteLength).toBe(mebibyte)
  expect([short.headers.get('content-length'), cancelled]).toEqual([null, true])
  expect(made).toBeLessThan(3 * mebibyte)
})
