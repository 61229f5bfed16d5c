import { XmlDocument } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import type { StatusSnapshot } from '../../../server/domain/status/status-page.ts'
import { markdownToHtml } from '../../lib/markdown.server.ts'
import { statusJsonFeed, statusRss } from './feeds.server.ts'

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

const at = new Date('2026-11-22T12:00:00Z')
const past = {
  id: '0190a0a0-0000-7000-8000-000000000002',
  title: 'Überlast: 検索が遅い & “charts” <slow>',
  stage: 'resolved',
  startsAt: at,
  components: [{ id: 'fhir', name: 'FHIR API', state: 'degraded' }],
  updates: [
    { id: 'v', stage: 'resolved', text: 'It is over.', at: new Date('2026-11-22T13:00:00Z'), editedAt: null },
    { id: 'u', stage: 'investigating', text: 'Slow 🐌.', at, editedAt: null },
  ],
  postMortem: '## Why\n\n]]> & | nothing',
  postMortemAt: new Date('2026-11-23T09:00:00Z'),
}
const snapshotOf = (incidents: object[]) =>
  ({ at, platform: { overallSummary: 'It works.' }, open: [], past: incidents }) as unknown as StatusSnapshot

test('both feeds are what their specifications ask for, with incidents and with none', () => {
  for (const incidents of [[], [past, { ...past, id: '0190a0a0-0000-7000-8000-000000000003' }]]) {
    const rss = XmlDocument.fromString(
      statusRss(snapshotOf(incidents), 'https://status.example', markdownToHtml),
    )
    const text = (path: string) => rss.find(path).map((node) => node.content)
    const json = statusJsonFeed(snapshotOf(incidents), 'https://status.example', markdownToHtml)

    // https://www.rssboard.org/rss-specification#requiredChannelElements
    for (const name of ['title', 'link', 'description']) expect(text(`/rss/channel/${name}`)).toHaveLength(1)
    expect(text('/rss/channel/item/guid')).toEqual(json.items.map(({ id }) => id))
    expect(new Set(json.items.map(({ id }) => id)).size).toBe(incidents.length)
    // RFC 822 with a year of four digits.
    for (const date of text('//pubDate | //lastBuildDate'))
      expect(date).toMatch(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/)
    for (const [place, title] of text('/rss/channel/item/title').entries()) {
      expect(title).toBe(`Resolved: ${past.title}`)
      expect(text('/rss/channel/item/description')[place]).toContain('<h2>Why</h2>')
      expect(text('/rss/channel/item/pubDate')[place]).toBe('Mon, 23 Nov 2026 09:00:00 GMT')
    }
    rss.dispose()
    // https://www.jsonfeed.org/version/1.1/#items
    for (const item of json.items) {
      expect(item.date_published).toBe('2026-11-22T12:00:00.000Z')
      expect(item.date_modified).toBe('2026-11-23T09:00:00.000Z')
      expect(item.content_html).toContain('<b>Resolved.</b> It is over.')
      expect(URL.canParse(item.url)).toBe(true)
    }
  }
})
