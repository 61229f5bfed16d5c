import { describe, expect, test } from 'vitest'
import { type ReportedCall, type ReportQuestion, reportOf } from './fault-report.ts'

/** Calls of one route, each so many seconds after the first, with the fault that met it. */
function calls(
  ...list: readonly (readonly [second: number, fault: string | null, route?: string])[]
): ReportedCall[] {
  return list.map(([second, fault, route = '/patients']) => ({
    at: new Date(Date.UTC(2026, 10, 20, 17, 0, 0) + second * 1_000),
    method: 'GET',
    route,
    status: fault === null ? 200 : 500,
    fault,
  }))
}

const vectors: readonly [string, ReturnType<typeof calls>, Partial<Record<ReportQuestion, string>>][] = [
  [
    'nothing',
    [],
    {
      retried: 'not_seen',
      waited: 'not_seen',
      backedOff: 'not_seen',
      stoppedAtLoop: 'not_seen',
      gaveUp: 'not_seen',
    },
  ],
  ['calls without faults', calls([0, null], [1, null]), { retried: 'not_seen', gaveUp: 'not_seen' }],
  [
    'a 429 that was waited out to the second',
    calls([0, '429;retry-after=5'], [5, null]),
    { retried: 'yes', waited: 'yes' },
  ],
  [
    'a 429 and a call a moment too soon',
    calls([0, '429;retry-after=5'], [4.9, null]),
    { retried: 'yes', waited: 'no' },
  ],
  ['a 429 that nothing followed', calls([0, '429;retry-after=5']), { retried: 'no', waited: 'not_seen' }],
  [
    'a 429 followed by another route only',
    calls([0, '429;retry-after=5'], [1, null, '/context']),
    { retried: 'no', waited: 'not_seen' },
  ],
  [
    'one of two 503 waited out',
    calls([0, '503;retry-after=2'], [2, '503;retry-after=2'], [3, null]),
    { waited: 'no' },
  ],
  [
    'pauses that grow',
    calls([0, '500'], [1, '500'], [3, '500'], [7, null]),
    { backedOff: 'yes', retried: 'yes' },
  ],
  ['equal pauses', calls([0, '500'], [1, '500'], [2, null]), { backedOff: 'yes' }],
  ['pauses that shrink', calls([0, 'cut'], [4, 'truncated'], [5, null]), { backedOff: 'no' }],
  ['one pause', calls([0, '500'], [1, null]), { backedOff: 'not_seen' }],
  [
    'two rows apart, the later one shorter',
    calls([0, '500'], [2, '500'], [6, null], [7, '500'], [8, '500'], [10, null]),
    { backedOff: 'yes' },
  ],
  ['a circle that was noticed', calls([0, 'next-repeats'], [1, 'next-repeats']), { stoppedAtLoop: 'yes' }],
  [
    'a circle that was walked',
    calls([0, 'next-repeats'], [1, 'next-repeats'], [2, 'next-repeats']),
    { stoppedAtLoop: 'no' },
  ],
  [
    'a refusal that was accepted',
    calls([0, '403'], [1, null, '/context']),
    { gaveUp: 'yes', retried: 'not_seen' },
  ],
  ['a refusal that was hammered', calls([0, '401'], [1, '401'], [2, '401']), { gaveUp: 'no' }],
]

describe('the report tells how a client behaved', () => {
  test.each(vectors)('%s', (_, input, expected) => {
    const answers = Object.fromEntries(reportOf(input).map(({ question, answer }) => [question, answer]))

    expect(answers).toMatchObject(expected)
  })

  test('figures stand beside the answer', () => {
    const waited = reportOf(calls([0, '429;retry-after=5'], [1, null])).find(
      ({ question }) => question === 'waited',
    )

    expect(waited?.said).toBe('1 of 1 came too soon: one after 1.0 s instead of 5 s.')
  })
})
