/** The status page as Markdown, for terminals and programs that read. */

import { paths } from '../../../server/contract/portal/paths.ts'
import { type HistoryDay, workedShare } from '../../../server/contract/status/history.ts'
import { stageWords } from '../../../server/contract/status/incidents.ts'
import type { PublicIncident } from '../../../server/domain/status/incident-views.ts'
import type { StatusSnapshot } from '../../../server/domain/status/status-page.ts'
import { headline, isUnchecked, leadOf, noPastWords } from '../../shared/status/status-words.ts'

/** @param origin of the status page */
export function statusMarkdown(snapshot: StatusSnapshot, origin: string): string {
  const { platform, days, open, past, reachable, recordsAt } = snapshot
  const rows = platform.services.map(
    ({ id, name, status, summary, automaticStatus }) =>
      `| ${cell(name)} | ${status} | ${cell(summary)} | ${automaticStatus ?? ''} | ${shareOf(days[id])} |`,
  )
  return [
    `# ${headline(snapshot)}`,
    isUnchecked(snapshot)
      ? `${leadOf(snapshot)} Read ${snapshot.at.toISOString()}.`
      : `${platform.overallSummary} Checked ${platform.checkedAt}.`,
    ...(reachable
      ? []
      : [
          `**Our database does not answer.** ${recordsAt === null ? 'History and incidents cannot be shown.' : `History and incidents are those of ${recordsAt.toISOString()}.`}`,
        ]),
    ...(open.length === 0
      ? []
      : ['## Open and announced', ...open.map((each) => incidentText(each, origin))]),
    '## Components',
    [
      '| Component | Status | Summary | Automatic check, where set by hand | Checked minutes that worked, 90 days |',
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
    '## What this is',
    `These are our own checks, for information: no uptime guarantee and no service-level agreement. The rows of FHIR and SMART tell of availability only and are not a certification claim. As JSON: the [Status API](${origin}/docs/status). Feeds: ${origin}${paths.statusRss}, ${origin}${paths.statusJson}.`,
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

/** What people typed stays a line of text: it opens no heading, no table and no markup. */
const line = (text: string) => text.replace(/[\\`*_[\]<>#|]/g, (character) => `\\${character}`)
const cell = line
