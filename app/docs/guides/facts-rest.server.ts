/** Tables about the REST API and its keys. */

import { limits } from '../../../server/contract/http/limits.ts'
import { dataClasses } from '../../../server/contract/keys/data-classes.ts'
import { extendWithinDays, graceChoices, reminderDays } from '../../../server/contract/keys/key-life.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { errorCodes, errorPage, isErrorCode, statusOf } from '../../../server/contract/rest/error-codes.ts'
import { type OperationRow, operations } from '../../../server/contract/rest/operations.ts'
import { purposeDefault, purposes } from '../../../server/contract/rest/purposes.ts'
import { structuralRefusals } from '../../../server/contract/rest/refusals.ts'
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
