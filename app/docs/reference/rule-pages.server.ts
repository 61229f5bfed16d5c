/** The reference's pages about OAuth errors and about reasons of refusals, from the contract's tables. */
import { problems } from '../../../server/contract/http/problems.ts'
import { findFix } from '../../../server/contract/keys/refusal-fixes.ts'
import { authenticationReasons, otherReasons } from '../../../server/contract/keys/refusal-reasons.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { oauthRefusals } from '../../../server/contract/smart/oauth-errors.ts'
import type { OAuthErrorCode, OAuthRefusalRow } from '../../../server/contract/smart/oauth-fixes.ts'
import { oauthFixes } from '../../../server/contract/smart/oauth-fixes.ts'
import { simulatedRefusals } from '../../../server/contract/smart/oauth-simulated.ts'
import { code, heading, type ReferenceBlock, type ReferencePage, table, text } from './reference-page.ts'

export const rulePages = (): readonly ReferencePage[] => [oauthPage(), activityPage()]

const oauthPage = (): ReferencePage => ({
  path: `${paths.reference}/oauth-errors`,
  title: 'OAuth errors',
  summary: 'Every error of the authorization server, its causes and what to do.',
  group: 'Errors',
  blocks: [
    text(
      'The authorization server returns `error` and `error_description`. Some causes share one description on purpose. The activity on your app’s page shows the actual cause.',
    ),
    ...oauthErrorCodes().flatMap((error): readonly ReferenceBlock[] => [
      heading(error),
      text(oauthFixes[error]),
      ...table({
        label: `Causes of ${error}`,
        heads: ['Cause', 'Status', 'error_description'],
        rows: causesOf(error).map(({ problem, description, developer }) => [
          developer,
          `${problems[problem].status}`,
          description,
        ]),
      }),
    ]),
  ],
})

const realRefusals = Object.entries<OAuthRefusalRow>(oauthRefusals).filter(
  ([name]) => !Object.hasOwn(simulatedRefusals, name),
)
const oauthErrorCodes = (): OAuthErrorCode[] =>
  [...new Set(realRefusals.map(([, { error }]) => error))].sort()
const causesOf = (error: OAuthErrorCode) =>
  realRefusals.map(([, row]) => row).filter((row) => row.error === error)

const activityPage = (): ReferencePage => ({
  path: `${paths.reference}/activity`,
  title: 'Reasons in the activity log',
  summary: 'Every reason that a key’s activity gives for a refused request, with its fix.',
  group: 'Errors',
  blocks: [
    text(
      'The caller gets only the status and the code. The key’s owner sees the reason in the key’s activity, under the correlation ID.',
    ),
    heading('Authentication'),
    ...reasonsTable('Authentication reasons', authenticationReasons),
    heading('Other reasons'),
    ...reasonsTable('Other reasons', otherReasons),
  ],
})

function reasonsTable(label: string, reasons: Readonly<Record<string, string>>) {
  return table({
    label,
    heads: ['Reason', 'Cause', 'Fix'],
    rows: Object.entries(reasons).map(([name, cause]) => [code(name), cause, findFix(name)]),
  })
}
