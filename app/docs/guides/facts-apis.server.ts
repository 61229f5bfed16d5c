/** Tables about the REST API and its keys, about limits, the Status API, and versions. */

import {
  noticeMonths,
  securityNoticeDays,
  shortNoticeDays,
} from '../../../server/contract/http/deprecation.ts'
import { limits, type WindowRow, windowTable } from '../../../server/contract/http/limits.ts'
import { workClasses } from '../../../server/contract/http/load-shedding.ts'
import { dataClasses } from '../../../server/contract/keys/data-classes.ts'
import { extendWithinDays, graceChoices, reminderDays } from '../../../server/contract/keys/key-life.ts'
import { mcpVersions } from '../../../server/contract/mcp/operation.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { errorCodes, errorPage, isErrorCode, statusOf } from '../../../server/contract/rest/error-codes.ts'
import { basePaths } from '../../../server/contract/rest/openapi.ts'
import { type OperationRow, operations } from '../../../server/contract/rest/operations.ts'
import { purposeDefault, purposes } from '../../../server/contract/rest/purposes.ts'
import { structuralRefusals } from '../../../server/contract/rest/refusals.ts'
import {
  type ComponentState,
  componentStates,
  components,
  overallTable,
  type PracticeStatus,
  practiceStatuses,
} from '../../../server/contract/status/components.ts'
import type { Facts } from './facts.ts'

const levels: Record<OperationRow['level'], string> = {
  none: 'none needed',
  any: '`read_only` or `full`',
  full: '`full`',
}

export const restOperations = (): Facts => ({
  label: 'Operations of the REST API',
  heads: ['Request', 'What it does', 'Key level'],
  rows: Object.entries<OperationRow>(operations).map(([id, { method, path, summary, level }]) => [
    `[\`${method} ${path}\`](${paths.operationReference(id)})`,
    summary,
    levels[level],
  ]),
})

export const dataClassesTable = (): Facts => ({
  label: 'Data classes',
  heads: ['Class', 'What it covers'],
  rows: Object.entries(dataClasses).map(([name, meaning]) => [`\`${name}\``, meaning]),
})

export const purposesTable = (): Facts => ({
  label: 'Purposes of use',
  heads: ['X-Purpose', 'When'],
  rows: Object.entries(purposes).map(([name, meaning]) => [
    `\`${name}\`${name === purposeDefault ? ' (default)' : ''}`,
    meaning,
  ]),
})

export const errorCodesTable = (): Facts => ({
  label: 'Codes of the REST API',
  heads: ['Code', 'Status', 'When', 'Retry'],
  rows: Object.entries(errorCodes).flatMap(([code, { when, retry }]) =>
    isErrorCode(code) ? [[`[\`${code}\`](${errorPage(code)})`, `${statusOf(code)}`, when, retry]] : [],
  ),
})

export const neverForKeys = (): Facts => ({
  label: 'What no key may do',
  heads: ['Reason in the activity log', 'What is refused'],
  rows: Object.entries(structuralRefusals).map(([name, { reason }]) => [`\`structural:${name}\``, reason]),
})

export const keyLife = (): Facts => ({
  label: 'Key lifetimes',
  heads: ['Subject', 'Duration or number'],
  rows: [
    ['A key, from the day it is issued', `${limits.keyDays} days; a longer term on request`],
    ['A claim link, which shows the key once', `${limits.claimLinkHours} hours`],
    ['New claim links after one expired', `up to ${limits.claimReissues}`],
    ['Sandbox keys per organization at a time', `${limits.sandboxKeysPerOrganization}`],
    ['A sandbox key can be extended', `in its last ${extendWithinDays} days`],
    ['Grace period of a rotated key', graceChoices.map(({ label }) => label.toLowerCase()).join(', ')],
    ['Emails before a sandbox key expires', `${reminderDays.sandbox.join(', ')} days before`],
    ['Emails before a production key expires', `${reminderDays.production.join(', ')} days before`],
  ],
})

const count = (value: number) => value.toLocaleString('en-US')

export const windowsTable = (api?: WindowRow['api']): Facts => ({
  label: 'Windows',
  heads: ['Counted per', 'Burst', 'Sustained'],
  rows: Object.values<WindowRow>(windowTable)
    .filter((row) => api === undefined || row.api === api)
    .map(({ title, windows: [burst, sustained], ours }) => [
      `${title}${ours ? ' (our choice)' : ''}`,
      `${count(burst.requests)} a second`,
      `${count(sustained.requests)} a minute`,
    ]),
})

/** The order in which a busy server refuses requests. */
export const loadTable = (): Facts => ({
  label: 'Order under load',
  heads: ['Requests', 'Refused', 'Retry-After'],
  rows: Object.values(workClasses)
    .filter(({ boundsOver }) => boundsOver !== null)
    .map(({ title, boundsOver, retryAfterSeconds }) => [
      title,
      boundsOver === 1 ? 'First' : boundsOver === 2 ? 'Under heavier load' : 'Last',
      `${retryAfterSeconds} seconds`,
    ]),
})

export const sizesTable = (): Facts => ({
  label: 'Sizes',
  heads: ['Subject', 'Maximum'],
  rows: [
    ['Request body, at every interface', `${count(limits.bodyBytesMax)} bytes`],
    ['`limit` of `GET /patients`', `${limits.pageSizeMax}; ${limits.pageSizeDefault} when left out`],
    ['`offset`', count(limits.offsetMax)],
    ['`q`', `${limits.searchTextMax} characters`],
    ['`mrn`', `${limits.mrnMax} characters`],
    [
      '`Idempotency-Key`',
      `${limits.idempotencyKeyMax} characters; remembered for ${limits.idempotencyHours} hours`,
    ],
    ['Values in a JSON body, objects and arrays included', count(limits.jsonValuesMax)],
    ['Nested objects and arrays in a JSON body', `${limits.jsonDepthMax} levels`],
    ['`_count` of a FHIR search', `${limits.fhirPageSizeMax}; ${limits.fhirPageSizeDefault} when left out`],
    ['Members listed in a Group', count(limits.groupMembersMax)],
    ['Exports that run at a time', 'one per practice'],
    ['Lifetime of links to export files', `${limits.bulkLinkHours} hours`],
    ['Your own correlation ID (`X-Correlation-Id`)', `${limits.clientCorrelationIdMax} characters`],
    ['`id` of the practice status', `${limits.practiceIdMax} characters`],
  ],
})

export const statusComponentsTable = (): Facts => ({
  label: 'Components',
  heads: ['ID', 'Name', 'Value of overall when it is down'],
  rows: Object.entries(components).map(([id, { name, tier }]) => [
    `\`${id}\``,
    name,
    `\`${overallTable[tier].down}\``,
  ]),
})

const states: Record<ComponentState, string> = {
  operational: 'The check passed.',
  degraded: 'Partly working; the summary says what.',
  down: 'The check failed.',
  disabled: 'Turned off. Not an outage, and not counted in `overall`.',
  not_available: 'Not checked. Never shown as operational, and not counted in `overall`.',
  partial_outage: 'Set by hand during an incident.',
  major_outage: 'Set by hand during an incident.',
  under_maintenance: 'Set by hand during maintenance.',
}

export const componentStatesTable = (): Facts => ({
  label: 'States of a component',
  heads: ['status', 'What it means'],
  rows: componentStates.map((state) => [`\`${state}\``, states[state]]),
})

const practices: Record<PracticeStatus, string> = {
  operational: 'The practice is active, and sign-in and the API work.',
  degraded: 'Active, and sign-in or the API is degraded.',
  down: 'Active, and sign-in or the API did not answer.',
  suspended: 'The practice is suspended. This is not an outage.',
  unknown: 'No practice has this id; `found` is false. A typo is not an outage.',
}

export const practiceStatusesTable = (): Facts => ({
  label: 'States of a practice',
  heads: ['status', 'What it means'],
  rows: practiceStatuses.map((state) => [`\`${state}\``, practices[state]]),
})

export const versionsTable = (): Facts => ({
  label: 'Versions',
  heads: ['Interface', 'Version', 'Where it is stated'],
  rows: [
    ['REST API', '`v1`', `the path, \`${basePaths.production}\``],
    ['Status API', '`v1`', `the path, \`${basePaths.production}/system\``],
    ['MCP', mcpVersions.map((version) => `\`${version}\``).join(', '), 'the header `MCP-Protocol-Version`'],
    ['FHIR', 'R4 (4.0.1)', 'the path, `/r4/`, and `fhirVersion` of the CapabilityStatement'],
    ['US Core', '6.1.0', '`instantiates` and the profiles of the CapabilityStatement'],
    ['SMART App Launch', '2.2', '`capabilities` of the discovery document'],
    ['Bulk Data Access', '2.0', '`instantiates` of the CapabilityStatement'],
  ],
})

export const noticesTable = (): Facts => ({
  label: 'Notice periods',
  heads: ['Change', 'Notice'],
  rows: [
    ['An operation, tool, parameter, field or address ends or changes', `${noticeMonths} months`],
    ['A version of REST, FHIR, US Core, SMART or Bulk Data ends', `${noticeMonths} months`],
    ['A protocol version of MCP ends', `${noticeMonths} months`],
    ['A scope or a way of client authentication ends', `${noticeMonths} months`],
    ['A limit gets lower, or a token expires sooner', `${shortNoticeDays} days`],
    ['Simulated faults, launches and other tools of the sandbox', `${shortNoticeDays} days`],
    ['Any of these, to protect records', `${securityNoticeDays} days, with the reason`],
  ],
})
