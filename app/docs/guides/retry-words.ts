import type { ErrorCodeRow } from '../../../server/contract/rest/error-codes.ts'

/** Whether to send the same request again, as a sentence. */
export const retryWords: Readonly<Record<ErrorCodeRow['retry'], string>> = {
  never: 'No. The same request will be refused again.',
  'after Retry-After': 'Yes, after as many seconds as Retry-After says.',
  'with backoff': 'Yes, with growing pauses.',
}
