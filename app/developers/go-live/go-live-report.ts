/** The go-live report as Markdown, for an issue or a wiki. */
import {
  type GoLiveCheckId,
  goLiveBounds,
  goLiveChecks,
} from '../../../server/contract/lab/go-live-checks.ts'
import type { GoLiveReport } from '../../../server/lab/go-live/go-live.ts'

type Report = GoLiveReport & { since: Date; until: Date; cut: boolean }

export const goLiveWords = {
  good: 'Passed',
  act: 'To do',
  unseen: 'No data',
} as const

export const checkIds = Object.keys(goLiveChecks) as GoLiveCheckId[]

/** Said wherever the report is shown. */
export const goLiveNote =
  'Recommendations based on your recent API calls. They are not a requirement for registration or FHIR access.'

export function goLiveMarkdown(report: Report, organization: { name: string; origin: string }): string {
  const day = (at: Date) => at.toISOString().slice(0, 10)
  const lines = [
    `# Go-live report of ${plain(organization.name)}`,
    '',
    `${report.calls} calls, ${day(report.since)} to ${day(report.until)} (UTC). ${goLiveNote}`,
    ...(report.cut ? ['', `From the newest ${goLiveBounds.rowsMax} entries of the activity log.`] : []),
    '',
    '| | Check | Result |',
    '|---|---|---|',
    ...checkIds.map((id) => {
      const { title, guide } = goLiveChecks[id]
      const { state, seen } = report.findings[id]
      return `| ${goLiveWords[state]} | [${title}](${organization.origin}/docs/${guide}) | ${seen} |`
    }),
    '',
    '## To do',
    '',
    ...listOr(
      checkIds
        .filter((id) => report.findings[id].state === 'act')
        .map((id) => `- ${goLiveChecks[id].title}: ${goLiveChecks[id].advice}`),
      'Nothing.',
    ),
    '',
    '## Operations',
    '',
    ...listOr(
      report.operations.map(
        ({ method, route, served, refused }) =>
          `- \`${plain(method)} ${plain(route)}\`: ${served} succeeded, ${refused} refused`,
      ),
      'None.',
    ),
    '',
    '## Refusals by cause',
    '',
    ...listOr(
      report.causes.map(({ reason, status, count }) => `- ${count} × ${status}: ${plain(reason)}`),
      'None.',
    ),
    '',
  ]
  return lines.join('\n')
}

const listOr = (lines: readonly string[], none: string) => (lines.length === 0 ? [none] : lines)

/** A name is plain text, whatever Markdown characters it has. */
function plain(text: string): string {
  return text.replace(/[\r\n|`<>[\]\\]/g, ' ')
}
