import { expect, test } from 'vitest'
import { parseFaultHeader } from '../contract/lab/fault-script.ts'
import { faultedAnswer } from './faulted-answer.ts'

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

test('of a short one half comes', async () => {
  const short = await faultedAnswer(new Response('{"a":"é"}'), truncated, plain())

  expect(new Uint8Array(await short.arrayBuffer())).toEqual(new TextEncoder().encode('{"a":'))
})

test('a page whose link repeats has its numbers as they were measured', async () => {
  const page = '{"link":[{"relation":"self","url":"a"}],"entry":[{"value":1.50}]}'

  const circle = await faultedAnswer(new Response(page), parseFaultHeader('next-repeats'), plain())

  expect(await circle.text()).toBe(
    '{"link":[{"relation":"self","url":"a"},{"relation":"next","url":"a"}],"entry":[{"value":1.50}]}',
  )
})

test('a failure of the service is none of the Fault Lab, whatever the request had asked for', async () => {
  const injectedOf = async (fault: string, status: number) => {
    const request = plain()
    await faultedAnswer(new Response('{}', { status }), parseFaultHeader(fault), request)
    return request.var.edge.injected
  }

  expect(await injectedOf('503', 503)).toBe(true)
  expect(await injectedOf('latency', 200)).toBe(true)
  expect(await injectedOf('latency', 500)).toBe(false)
  expect(await injectedOf('truncated', 503)).toBe(false)
})
