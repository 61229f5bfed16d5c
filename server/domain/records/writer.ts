/** The request that writes a clinical record through an API, and its result. */
import type pg from 'pg'
import type { LogRecord } from '../../audit/log-rows.ts'
import type { ApiKeyPrincipal } from '../../auth/principal.ts'

export type Writer = Readonly<{
  principal: ApiKeyPrincipal
  /** The time of the request. */
  now: Date
  /** The caller's Idempotency-Key with the SHA-256 of the request; null without a key. */
  once: Readonly<{ name: string; request: Buffer }> | null
  /** The rows of the activity log and the access log, committed with the write. */
  record: (patientId: string) => LogRecord
  /** Further checks within the transaction: if it throws, nothing is written. */
  within: (client: pg.PoolClient, patientId: string) => Promise<void>
}>

export type Outcome =
  /** The content is the stored FHIR text. */
  | Readonly<{ kind: 'created'; id: string; content: string }>
  /** Nothing was written, because an earlier identical request created the record. */
  | Readonly<{ kind: 'again'; id: string }>
  /** The key is no longer valid, or its practice points at another dataset. */
  | Readonly<{ kind: 'dead' }>
