import { expect, test } from 'vitest'
import type { StatusSnapshot } from '../server/domain/status/status-page.ts'
import { statusRss } from './status-feeds.server.ts'

test('the feed stays XML whatever characters stand in an incident', () => {
  const at = new Date('2026-11-22T12:00:00Z')
  const incident = {
    id: '0190a0a0-0000-7000-8000-000000000001',
    title: 'Broken \uffff & <gone>',
    stage: 'investigating',
    startsAt: at,
    components: [],
    updates: [{ id: 'u', stage: 'investigating', text: 'One \ufffe, half \ud83d.', at, editedAt: null }],
    postMortem: null,
    postMortemAt: null,
  }
  const snapshot = { at, open: [incident], past: [] } as unknown as StatusSnapshot

  const feed = statusRss(snapshot, 'https://status.example', (markdown) => markdown)

  expect(feed).toContain('<title>Investigating: Broken \ufffd &amp; &lt;gone&gt;</title>')
  // https://www.w3.org/TR/xml/#charsets
  expect(feed).toMatch(/^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u)
})
