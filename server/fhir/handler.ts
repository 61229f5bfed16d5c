/** The parameters and the result of a handler. */

import type { SmartPrincipal } from '../auth/principal.ts'
import type { CcdService } from '../ccd/ccd.ts'
import type * as bulkExportsVerbs from '../domain/bulk-exports/bulk-exports.ts'
import type { ExportStorage } from '../domain/bulk-exports/export-storage.ts'
import type { WithCore } from '../domain/core.ts'
import type { Parameter } from '../search/compile.ts'
import type { Cursors } from '../search/cursor.ts'
import type { Liveness } from '../store/liveness.ts'
import type { Store } from '../store/store.ts'
import type { Call } from './call.ts'

export interface HandlerServices {
  readonly store: Pick<
    Store,
    'search' | 'read' | 'everything' | 'documents' | 'findPopulation' | 'offeredRows'
  >
  readonly ccd: CcdService
  readonly cursors: Cursors
  readonly clock: () => Date
  readonly bulkExports: WithCore<typeof bulkExportsVerbs>
  readonly exportStorage: ExportStorage
  /** The origin of all FHIR base URLs. */
  readonly origin: string
}

export interface HandlerCall extends HandlerServices {
  readonly call: Call
  /**
   * Runs a query of the store with the current principal. Ends the request with 401 if the token is not valid any more, and
   * repeats the query if the practice has moved to another dataset meanwhile.
   */
  ask<Answer extends { readonly alive: boolean }>(
    query: (principal: SmartPrincipal, liveness: Liveness) => Promise<Answer>,
  ): Promise<Answer>
  /** The parameters of the URL and the body. A repeated query does not read the body again. @throws Problem */
  readParameters(): Promise<Parameter[]>
  /** Counts a heavy request. A repeated query does not count again. @throws Problem `rate_limited` */
  takeHeavy(cost: number): Promise<void>
  /** For handlers without a query: checks the token and its practice. @throws Problem `unauthorized`, `forbidden` */
  confirm(): Promise<SmartPrincipal>
}

/** The response, which is sent after its access record is committed. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** FHIR JSON, a stream of any other type, or null for no body. */
  readonly body: string | Buffer | (() => ReadableStream<Uint8Array>) | null
  /** The number of resources in the response. */
  readonly count: number
  /** Set if the resources concern one patient. */
  readonly patientId: string | null
  /** The patients, without duplicates, if the resources concern several. */
  readonly patientIds?: readonly string[]
  /** The export of a downloaded file. */
  readonly exportId?: string
  /** The resource type in a downloaded file. */
  readonly resourceType?: string | null
  /** The statement that read the resource has also written the access record. */
  readonly isRecorded?: boolean
}
