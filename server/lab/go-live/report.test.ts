import { describe, expect, test } from 'vitest'
import type { ConductRow } from '../../audit/activity-log.ts'
import type { GoLiveCheckId } from '../../contract/lab/go-live-checks.ts'
import { goLiveReport, type KeyLife } from './report.ts'

const start = Date.parse('2026-11-20T12:00:00.000Z')
const now = new Date(start + 3_600_000)
let rowsMade = 0

/** A served call of one key, unless it says otherwise. */
function call(afterMs: number, changes: Partial<ConductRow> = {}): ConductRow {
  rowsMade += 1
  return {
    id: String(rowsMade),
    at: new Date(start + afterMs),
    door: 'rest',
    environment: 'sandbox',
    credential: 'key-1',
    kind: 'key',
    method: 'GET',
    route: '/patients',
    status: 200,
    refusal: null,
    fromBrowser: false,
    count: 1,
    retryAfterSeconds: null,
    page: null,
    injected: false,
    ...changes,
  }
}

const limited = (afterMs: number, retryAfterSeconds = 1, more: Partial<ConductRow> = {}) =>
  call(afterMs, { status: 429, refusal: 'rate_limited_key', retryAfterSeconds, ...more })
const fault = (afterMs: number, more: Partial<ConductRow> = {}) =>
  call(afterMs, { status: 503, refusal: 'unavailable', ...more })
const dead = (afterMs: number, more: Partial<ConductRow> = {}) =>
  call(afterMs, { status: 401, refusal: 'key_expired', ...more })
const app = (afterMs: number, more: Partial<ConductRow> = {}) =>
  call(afterMs, { kind: 'app', credential: 'app-1', door: 'fhir', route: '/r4/{practice}/{type}', ...more })
const token = (afterMs: number) =>
  app(afterMs, { door: 'smart', method: 'POST', route: '/r4/{practice}/token' })

const states = (rows: readonly ConductRow[], keys: readonly KeyLife[] = []) =>
  goLiveReport(rows, keys, now).findings
const key = (expiresInDays: number, rotated = false): KeyLife => ({
  id: 'key-1',
  name: 'Nightly import',
  expiresAt: new Date(now.getTime() + expiresInDays * 86_400_000),
  rotated,
})

type Vector = [name: string, check: GoLiveCheckId, state: string, rows: ConductRow[], keys?: KeyLife[]]

const vectors: readonly Vector[] = [
  ['no call at all', 'called', 'unseen', []],
  ['a served call', 'called', 'good', [call(0)]],
  ['only refused calls', 'called', 'act', [dead(0)]],

  ['no 429', 'limits', 'unseen', [call(0)]],
  ['the next call after the seconds', 'limits', 'good', [limited(0, 2), call(2_000)]],
  ['the next call before the seconds are over', 'limits', 'act', [limited(0, 2), call(1_999)]],
  ['a 429 and nothing after', 'limits', 'good', [limited(0)]],
  [
    'a burst that was under way, and then a wait',
    'limits',
    'good',
    [limited(0), limited(10), call(20), limited(249), call(1_000)],
  ],
  ['429 upon 429', 'limits', 'act', [limited(0), limited(400), limited(800), call(5_000)]],
  ['a flood that was folded into one row', 'limits', 'act', [limited(0, 1, { count: 80 })]],
  [
    'another key that calls meanwhile',
    'limits',
    'good',
    [limited(0, 5), call(1_000, { credential: 'key-2' }), call(5_000)],
  ],

  ['no fault', 'faults', 'unseen', [call(0)]],
  ['a wait after a fault', 'faults', 'good', [fault(0), call(1_000)]],
  ['the wait that the fault asked for', 'faults', 'act', [fault(0, { retryAfterSeconds: 3 }), call(2_000)]],
  ['the same again at once', 'faults', 'act', [fault(0), fault(300)]],

  ['no list with more', 'paging', 'unseen', [call(0, { page: 'whole' })]],
  [
    'a list read to its end',
    'paging',
    'good',
    [call(0, { page: 'begun' }), call(10, { page: 'more' }), call(20, { page: 'last' })],
  ],
  ['first pages alone', 'paging', 'act', [call(0, { page: 'begun' }), call(10, { page: 'begun' })]],
  [
    'most lists left after the first page',
    'paging',
    'act',
    [call(0, { page: 'begun', count: 9 }), call(20, { page: 'last' })],
  ],

  ['no key', 'browser', 'unseen', [app(0, { fromBrowser: true })]],
  ['a key on a server', 'browser', 'good', [call(0)]],
  ['a key in a page', 'browser', 'act', [call(0, { fromBrowser: true })]],

  ['a token asked for once', 'renewal', 'unseen', [token(0), app(10)]],
  ['tokens asked for again', 'renewal', 'good', [token(0), app(10), token(3_000_000)]],
  [
    'a new token after one had ended',
    'renewal',
    'good',
    [token(0), app(10, { status: 401, refusal: 'token_expired' }), token(20), app(30)],
  ],
  [
    'a token that ended, and no new one',
    'renewal',
    'act',
    [token(0), app(10, { status: 401, refusal: 'token_expired' })],
  ],
  ['a key that ends in a week', 'renewal', 'act', [call(0)], [key(7)]],
  ['the same, rotated', 'renewal', 'good', [call(0)], [key(7, true)]],
  ['a key with its life before it', 'renewal', 'unseen', [call(0)], [key(80)]],

  ['no refused credential', 'credentials', 'good', [call(0)]],
  ['one 401 and on', 'credentials', 'good', [dead(0), call(10)]],
  ['ten 401 in a row', 'credentials', 'act', Array.from({ length: 10 }, (_, index) => dead(index * 1_000))],
  ['a loop folded into one row', 'credentials', 'act', [dead(0, { count: 400 })]],

  ['nothing refused', 'errors', 'good', [call(0)]],
  [
    'one of twenty-five',
    'errors',
    'good',
    [call(0, { count: 24 }), call(1, { status: 400, refusal: 'validation:dob' })],
  ],
  ['one of two', 'errors', 'act', [call(0), call(1, { status: 404, refusal: 'not_found' })]],
  [
    'refusals that the Fault Lab injected',
    'errors',
    'good',
    [call(0), call(1, { status: 404, refusal: 'not_found', injected: true })],
  ],
  ['limits and dead credentials are no misunderstandings', 'errors', 'good', [limited(0), dead(1), fault(2)]],
]

describe('the go-live report', () => {
  test.each(vectors)('of %s says of %s: %s', (_name, check, state, rows, keys = []) => {
    expect(states(rows, keys)[check].state).toBe(state)
  })

  test('names operations and causes, the most frequent first, and counts what was folded', () => {
    const { operations, causes, calls } = goLiveReport(
      [
        call(0),
        call(1, { status: 400, refusal: 'validation:dob', count: 3 }),
        call(2, { route: '/patients/{id}', count: 2 }),
        call(3, { status: 404, refusal: 'not_found' }),
      ],
      [],
      now,
    )

    expect(calls).toBe(7)
    expect(operations).toEqual([
      { door: 'rest', method: 'GET', route: '/patients', served: 1, refused: 4 },
      { door: 'rest', method: 'GET', route: '/patients/{id}', served: 2, refused: 0 },
    ])
    expect(causes.map(({ refusal, count }) => [refusal, count])).toEqual([
      ['validation:dob', 3],
      ['not_found', 1],
    ])
    expect(causes[0]?.reason).toBe('The request was not valid: dob.')
  })

  test('says everything in sentences with their numbers', () => {
    const { findings } = goLiveReport([limited(0), call(100), limited(2_000), call(2_500)], [], now)

    expect(findings.limits.seen).toBe('Asked to wait 2 times. After 1 of them, the next call came too early.')
    expect(findings.called.seen).toBe('2 calls succeeded in 30 days.')
  })
})
