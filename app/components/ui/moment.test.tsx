import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

let Moment: typeof import('./moment.tsx').Moment

// Another file of the same worker may have loaded the modules already.
beforeAll(async () => {
  vi.resetModules()
  vi.doMock('../../lib/root-data.ts', () => ({
    useRoot: () => ({ zone: 'Asia/Tokyo', officeZone: 'America/New_York' }),
  }))
  ;({ Moment } = await import('./moment.tsx'))
})

afterAll(() => {
  vi.doUnmock('../../lib/root-data.ts')
  vi.resetModules()
})

/** The last millisecond of 30 November in New York. */
const at = '2026-12-01T04:59:59.999Z'

test('a deadline is the day on which it was counted, with its zone, wherever its reader is', () => {
  expect(renderToStaticMarkup(<Moment at={at} as="deadline" />)).toContain('>Mon 30 Nov 2026, 23:59 EST<')
})

test('any other moment is in the zone of its reader, which is always to be seen', () => {
  expect(renderToStaticMarkup(<Moment at={at} />)).toContain('>Tue 1 Dec 2026, 13:59 GMT+9<')
  expect(renderToStaticMarkup(<Moment at={at} as="date" />)).toContain('title="Tue 1 Dec 2026, 13:59 GMT+9"')
})
