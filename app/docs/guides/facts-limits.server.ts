/** Tables of limits, interface by interface. */
import { limits, type WindowRow, windowTable } from '../../../server/contract/http/limits.ts'
import { workClasses } from '../../../server/contract/http/load-shedding.ts'
import type { Facts } from './facts.ts'

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
