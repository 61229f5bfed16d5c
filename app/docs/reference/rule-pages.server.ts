/** OAuth errors with their causes, and what is recorded: pages of the reference from the contract's tables. */
import { problems } from '../../../server/contract/http/problems.ts'
import { findFix } from '../../../server/contract/keys/refusal-fixes.ts'
import { authenticationReasons, otherReasons } from '../../../server/contract/keys/refusal-reasons.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { oauthRefusals } from '../../../server/contract/smart/oauth-errors.ts'
import { oauthFixes } from '../../../server/contract/smart/oauth-fixes.ts'
import type { OAuthErrorCode, OAuthRefusalRow } from '../../../server/contract/smart/oauth-refusal-row.ts'
import { simulatedRefusals } from '../../../server/contract/smart/oauth-simulated.ts'
import { agreementWorkflow } from '../../../server/contract/workflows/agreement-workflow.ts'
import { productionKeyWorkflow } from '../../../server/contract/workflows/production-key-workflow.ts'
import { registrationWorkflow } from '../../../server/contract/workflows/registration-workflow.ts'
import { sandboxKeyWorkflow } from '../../../server/contract/workflows/sandbox-key-workflow.ts'
import { systemAuthorizationWorkflow } from '../../../server/contract/workflows/system-authorization-workflow.ts'
import {
  accountWorkflow,
  invitationWorkflow,
  keyWorkflow,
  type Transition,
} from '../../../server/contract/workflows/workflows.ts'
import { code, heading, type ReferenceBlock, type ReferencePage, table, text } from './reference-page.ts'

export const rulePages = (): readonly ReferencePage[] => [oauthPage(), activityPage(), eventsPage()]

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
  group: 'Records',
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

const workflows: readonly { readonly title: string; readonly rows: readonly Transition[] }[] = [
  { title: 'Accounts', rows: accountWorkflow.rows },
  { title: 'Invitations', rows: invitationWorkflow.rows },
  { title: 'Sandbox key requests', rows: sandboxKeyWorkflow.rows },
  { title: 'Sandbox keys', rows: keyWorkflow.rows },
  { title: 'Production keys', rows: productionKeyWorkflow.rows },
  { title: 'App registrations', rows: registrationWorkflow.rows },
  { title: 'Agreements', rows: agreementWorkflow.rows },
  { title: 'Backend system authorizations', rows: systemAuthorizationWorkflow.rows },
]

const eventsPage = (): ReferencePage => ({
  path: `${paths.reference}/events`,
  title: 'Events',
  summary: 'Every event in the audit log: the state before and after, and who can trigger it.',
  group: 'Records',
  blocks: [
    text(
      'Each event is written to the audit log in the same transaction as the change itself. `system` means a background job that runs when something is due.',
    ),
    ...workflows.flatMap(({ title, rows }) => [
      heading(title),
      ...table({
        label: `Events: ${title}`,
        heads: ['Event', 'From', 'To', 'Triggered by'],
        rows: rows.map(({ event, audit, from, to, actors }) => [
          code(audit ?? event),
          from ?? 'new',
          to ?? 'deleted',
          actors.join(', '),
        ]),
      }),
    ]),
  ],
})
