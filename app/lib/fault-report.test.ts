import { expect, test } from 'vitest'
import { createLog } from '../../server/http/log.ts'
import { reportFault } from './fault-report.ts'

/** What Remix makes of a thrown answer, or of a request that fits no page. */
const answer = (status: number, error?: Error) => ({
  status,
  statusText: '',
  internal: true,
  data: null,
  error,
})

function reported(thrown: unknown, signal = new AbortController().signal) {
  const lines: string[] = []
  const log = createLog({ LOG_LEVEL: 'info' }, { write: (line: string) => lines.push(line) })
  reportFault(thrown, 'a page failed', { log, request: { signal }, correlationId: 'c1' })
  return lines.map((line) => JSON.parse(line))
}

test('a method that no page takes is no fault of ours', () => {
  const thrown = answer(405, new Error('no action'))

  const [line] = reported(thrown)

  expect(line).toMatchObject({ level: 'info', status: 405, correlationId: 'c1' })
  expect(line).not.toHaveProperty('err')
})

test.each([new Error('aborted'), 'Client connection prematurely closed.', new DOMException('gone')])(
  'what the visitor broke off is no fault of ours: %s',
  (thrown) => {
    const [line] = reported(thrown, AbortSignal.abort(thrown))

    expect(line).toMatchObject({ level: 'info', correlationId: 'c1' })
    expect(line).not.toHaveProperty('err')
  },
)

test('a fault is an error with its cause, also inside of an answer', () => {
  const inside = answer(500, new TypeError('broken'))

  for (const thrown of [new TypeError('broken'), inside]) {
    expect(reported(thrown)).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: 'a page failed',
        err: expect.objectContaining({ type: 'TypeError', message: 'broken' }),
      }),
    ])
  }
  expect(reported(answer(503))[0].err.message).toBe('answered with 503')
})
