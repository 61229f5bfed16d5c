/** Tables of limits, interface by interface. */
import { limits, type WindowRow, windowTable } from '../../../server/contract/http/limits.ts'
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

export const sizesTable = (): Facts => ({
  label: 'Sizes',
  heads: ['What', 'At most'],
  rows: [
    ['Body of a request, at every interface', `${count(limits.bodyBytesMax)} bytes`],
    ['`limit` of `GET /patients`', `${limits.pageSizeMax}; ${limits.pageSizeDefault} when left out`],
    ['`offset`', count(limits.offsetMax)],
    ['`q`', `${limits.searchTextMax} characters`],
    ['`mrn`', `${limits.mrnMax} characters`],
    [
      '`Idempotency-Key`',
      `${limits.idempotencyKeyMax} characters, good for ${limits.idempotencyHours} hours`,
    ],
    ['Values in a JSON body, objects and arrays included', count(limits.jsonValuesMax)],
    ['Objects and arrays within one another in a body', `${limits.jsonDepthMax} levels`],
    ['`_count` of a FHIR search', `${limits.fhirPageSizeMax}; ${limits.fhirPageSizeDefault} when left out`],
    ['Members that a Group names', count(limits.groupMembersMax)],
    ['Exports that run at a time', 'one in a practice'],
    ['Links to the files of an export', `${limits.bulkLinkHours} hours`],
    ['A caller’s own correlation id', `${limits.clientCorrelationIdMax} characters`],
    ['`id` of the practice status', `${limits.practiceIdMax} characters`],
  ],
})
