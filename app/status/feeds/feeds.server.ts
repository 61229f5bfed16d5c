/** Incidents and maintenance as feeds: an entry each, changed with its last word. */

import { paths } from '../../../server/contract/portal/paths.ts'
import { stageWords } from '../../../server/contract/status/incidents.ts'
import type { PublicIncident } from '../../../server/domain/status/incident-views.ts'
import type { StatusSnapshot } from '../../../server/domain/status/status-page.ts'

type ToHtml = (markdown: string) => string

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** What XML 1.0 forbids even when it is escaped becomes the replacement character. */
const escaped = (text: string) =>
  text
    .replace(/[&<>"]/g, (character) => escapes[character] ?? character)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
const entriesMax = 50

const entriesOf = ({ open, past }: StatusSnapshot) => [...open, ...past].slice(0, entriesMax)
/** Never the start of maintenance to come: readers hide an entry until its date. */
const changedAt = ({ updates, postMortemAt, startsAt }: PublicIncident) => {
  const said = updates.map(({ at, editedAt }) => editedAt ?? at)
  const dates = postMortemAt === null ? said : [...said, postMortemAt]
  return new Date(Math.max(...(dates.length > 0 ? dates : [startsAt]).map(Number)))
}

function htmlOf({ updates, components, postMortem }: PublicIncident, toHtml: ToHtml): string {
  const entries = updates.map(
    ({ stage, text, at }) =>
      `<p><b>${stageWords[stage]}.</b> ${escaped(text)} <i>${at.toISOString()}</i></p>`,
  )
  const about = `<p>Affected: ${escaped(components.map(({ name }) => name).join(', '))}.</p>`
  return [about, ...entries, ...(postMortem === null ? [] : [toHtml(postMortem)])].join('\n')
}

/** RSS 2.0, https://www.rssboard.org/rss-specification */
export function statusRss(snapshot: StatusSnapshot, origin: string, toHtml: ToHtml): string {
  const items = entriesOf(snapshot).map((incident) => {
    const link = escaped(origin + paths.statusIncident(incident.id))
    return [
      '<item>',
      `<title>${escaped(`${stageWords[incident.stage]}: ${incident.title}`)}</title>`,
      `<link>${link}</link>`,
      `<guid isPermaLink="true">${link}</guid>`,
      `<pubDate>${changedAt(incident).toUTCString()}</pubDate>`,
      `<description>${escaped(htmlOf(incident, toHtml))}</description>`,
      '</item>',
    ].join('')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    '<title>Sandpiper: status</title>',
    `<link>${escaped(origin + paths.status)}</link>`,
    `<atom:link href="${escaped(origin + paths.statusRss)}" rel="self" type="application/rss+xml"/>`,
    '<description>Incidents and maintenance. For information only; not a service-level agreement.</description>',
    '<language>en</language>',
    `<lastBuildDate>${snapshot.at.toUTCString()}</lastBuildDate>`,
    ...items,
    '</channel></rss>',
    '',
  ].join('\n')
}

/** JSON Feed 1.1, https://www.jsonfeed.org/version/1.1/ */
export function statusJsonFeed(snapshot: StatusSnapshot, origin: string, toHtml: ToHtml) {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Sandpiper: status',
    description: `${snapshot.platform.overallSummary} For information only; not a service-level agreement.`,
    home_page_url: origin + paths.status,
    feed_url: origin + paths.statusJson,
    language: 'en',
    items: entriesOf(snapshot).map((incident) => ({
      id: origin + paths.statusIncident(incident.id),
      url: origin + paths.statusIncident(incident.id),
      title: `${stageWords[incident.stage]}: ${incident.title}`,
      content_html: htmlOf(incident, toHtml),
      date_published: (incident.updates.at(-1)?.at ?? incident.startsAt).toISOString(),
      date_modified: changedAt(incident).toISOString(),
      tags: incident.components.map(({ name }) => name),
    })),
  }
}
