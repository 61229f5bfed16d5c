/** What a handler is given, and what it gives back. */

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
  /** Of every FHIR base. */
  readonly origin: string
}

export interface HandlerCall extends HandlerServices {
  readonly call: Call
  /**
   * Asks the store what the principal, as it is now, may see; ends the request with 401 when it is not good any
   * more. The question is asked again if the practice has moved to another dataset meanwhile.
   */
  ask<Answer extends { readonly alive: boolean }>(
    question: (principal: SmartPrincipal, liveness: Liveness) => Promise<Answer>,
  ): Promise<Answer>
  /** Those of the query and of the body, which is read once, however often the question is asked. @throws Problem */
  readParameters(): Promise<Parameter[]>
  /** Counts the request in the window of heavy ones, once, however often the question is asked. @throws Problem `rate_limited` */
  takeHeavy(cost: number): Promise<void>
  /** For what asks no store: the principal, good now, at its own practice. @throws Problem `unauthorized`, `forbidden` */
  confirm(): Promise<SmartPrincipal>
}

/** What leaves once its record is committed. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** FHIR JSON; a stream of anything else; null for no body. */
  readonly body: string | Buffer | (() => ReadableStream<Uint8Array>) | null
  /** Resources in it. */
  readonly count: number
  /** When they concern one patient. */
  readonly patientId: string | null
  /** When they concern several: each once. */
  readonly patientIds?: readonly string[]
  /** Of a file of an export. */
  readonly exportId?: string
  /** Of a file of an export: what it holds. */
  readonly resourceType?: string | null
  /** The statement that read has committed its record. */
  readonly isRecorded?: boolean
}
