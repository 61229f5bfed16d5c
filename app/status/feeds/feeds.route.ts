/** The status page for programs: as Markdown, as two feeds of its incidents, and as a picture for pages of others. */
import { data } from '@remix-run/server-runtime'
import type { StatusSnapshot } from '../../../server/domain/status/status-page.ts'
import { markdownToHtml } from '../../lib/markdown.server.ts'
import { type PageArgs, page } from '../../services.server.ts'
import { badgeWords } from '../../shared/status/status-words.ts'
import { statusJsonFeed, statusMarkdown, statusRss } from './feeds.server.ts'

type Text = readonly [type: string, text: string]

/** The formats by the end of the URL. */
const texts: Readonly<Record<string, (snapshot: StatusSnapshot, origin: string) => Text>> = {
  md: (snapshot, origin) => ['text/markdown', statusMarkdown(snapshot, origin)],
  xml: (snapshot, origin) => ['application/rss+xml', statusRss(snapshot, origin, markdownToHtml)],
  json: (snapshot, origin) => [
    'application/feed+json',
    JSON.stringify(statusJsonFeed(snapshot, origin, markdownToHtml)),
  ],
  svg: (snapshot) => ['image/svg+xml', statusBadge(snapshot)],
}

export const loader = page(async ({ request, context: { services } }: PageArgs) => {
  const [end = ''] = new URL(request.url).pathname.toLowerCase().split('.').slice(-1)
  const textOf = texts[end.replace(/\/+$/, '')]
  if (!textOf) throw data(null, { status: 404 })
  const [type, text] = textOf(await services.status.page(), services.env.STATUS_ORIGIN)
  return new Response(text, {
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' },
  })
})

/** White text has a contrast of at least 4.5 on each color. */
const grounds = { ok: '#17603d', turn: '#7a4b00', bad: '#a8201a', quiet: '#44544f' } as const
const label = 'status'
/** Widths in pixels: an average letter at 11 px, and the padding of a word. */
const letter = 6.6
const around = 14

function statusBadge(snapshot: Pick<StatusSnapshot, 'platform'>): string {
  const { words, tone } = badgeWords(snapshot)
  const left = Math.round(label.length * letter + around)
  const right = Math.round(words.length * letter + around)
  const text = (x: number, what: string) =>
    `<text x="${x}" y="14" text-anchor="middle" fill="#fff">${what}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${words}">`,
    `<title>${label}: ${words}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="20" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#12211f"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${grounds[tone]}"/></g>`,
    `<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    text(left / 2, label),
    text(left + right / 2, words),
    '</g></svg>\n',
  ].join('')
}
