/** Incidents and maintenance as feeds. Each has one entry, dated by its last update. */
import { paths } from '../../../server/contract/portal/paths.ts'
import { type HistoryDay, workedShare } from '../../../server/contract/status/history.ts'
import { stageWords } from '../../../server/contract/status/incidents.ts'
import type { PublicIncident } from '../../../server/domain/status/incident-views.ts'
import type { StatusSnapshot } from '../../../server/domain/status/status-page.ts'
import { escapeXml, rssOf } from '../../lib/rss.ts'
import { headline, isUnchecked, leadOf, noPastWords } from '../../shared/status/status-words.ts'

type ToHtml = (markdown: string) => string

const entriesMax = 50

const entriesOf = ({ open, past }: StatusSnapshot) => [...open, ...past].slice(0, entriesMax)
/** Never the start of future maintenance, because feed readers hide an entry until its date. */
const changedAt = ({ updates, postMortemAt, startsAt }: PublicIncident) => {
  const updatedDates = updates.map(({ at, editedAt }) => editedAt ?? at)
  const dates = postMortemAt === null ? updatedDates : [...updatedDates, postMortemAt]
  return new Date(Math.max(...(dates.length > 0 ? dates : [startsAt]).map(Number)))
}

function htmlOf({ updates, components, postMortem }: PublicIncident, toHtml: ToHtml): string {
  const entries = updates.map(
    ({ stage, text, at }) =>
      `<p><b>${stageWords[stage]}.</b> ${escapeXml(text)} <i>${at.toISOString()}</i></p>`,
  )
  const about = `<p>Affected: ${escapeXml(components.map(({ name }) => name).join(', '))}.</p>`
  return [about, ...entries, ...(postMortem === null ? [] : [toHtml(postMortem)])].join('\n')
}

export function statusRss(snapshot: StatusSnapshot, origin: string, toHtml: ToHtml): string {
  return rssOf({
    title: 'Sandpiper: status',
    description: 'Incidents and maintenance. For information only; not a service-level agreement.',
    link: origin + paths.status,
    self: origin + paths.statusRss,
    builtAt: snapshot.at,
    items: entriesOf(snapshot).map((incident) => ({
      title: `${stageWords[incident.stage]}: ${incident.title}`,
      link: origin + paths.statusIncident(incident.id),
      at: changedAt(incident),
      html: htmlOf(incident, toHtml),
    })),
  })
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

/** @param origin the origin of the status page */
export function statusMarkdown(snapshot: StatusSnapshot, origin: string): string {
  const { platform, days, open, past, reachable, recordsAt } = snapshot
  const rows = platform.services.map(
    ({ id, name, status, summary, automaticStatus }) =>
      `| ${cell(name)} | ${status} | ${cell(summary)} | ${automaticStatus ?? ''} | ${shareOf(days[id])} |`,
  )
  return [
    `# ${headline(snapshot)}`,
    isUnchecked(snapshot)
      ? `${leadOf(snapshot)} As of ${snapshot.at.toISOString()}.`
      : `${platform.overallSummary} Checked ${platform.checkedAt}.`,
    ...(reachable
      ? []
      : [
          `**Our database is not responding.** ${recordsAt === null ? 'We can’t show history and incidents.' : `History and incidents are as of ${recordsAt.toISOString()}.`}`,
        ]),
    ...(open.length === 0
      ? []
      : ['## Current and planned', ...open.map((each) => incidentText(each, origin))]),
    '## Components',
    [
      '| Component | Status | Summary | Automatic check, if set manually | Checked minutes without problems, 90 days |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
    '## Past incidents and maintenance',
    past.length === 0
      ? noPastWords(snapshot)
      : past
          .slice(0, 10)
          .map((each) => incidentText(each, origin))
          .join('\n\n'),
    '## About this page',
    `These are our own checks, for information only. They are not an uptime guarantee or a service-level agreement. The FHIR and SMART rows report availability only and are not a certification claim. As JSON: the [Status API](${origin}/docs/status). Feeds: ${origin}${paths.statusRss}, ${origin}${paths.statusJson}.`,
    '',
  ].join('\n\n')
}

function incidentText(
  { id, title, stage, startsAt, endedAt, updates, components }: PublicIncident,
  origin: string,
) {
  const times = `${startsAt.toISOString()}${endedAt === null ? '' : ` to ${endedAt.toISOString()}`}`
  const [last] = updates
  return [
    `### ${line(title)}`,
    `${stageWords[stage]}. ${times}. Affected: ${components.map(({ name }) => name).join(', ')}.`,
    ...(last ? [line(last.text)] : []),
    `${origin}${paths.statusIncident(id)}`,
  ].join('\n\n')
}

function shareOf(days: readonly HistoryDay[]): string {
  const share = workedShare(days)
  return share === null ? 'no data' : `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`
}

/** Keeps typed text on one line, without headings, tables and markup. */
const line = (text: string) => text.replace(/[\\`*_[\]<>#|]/g, (character) => `\\${character}`)
const cell = line
