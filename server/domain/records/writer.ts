/** Who writes clinical records through an interface, and what is kept of the request beside them. */
import type pg from 'pg'
import type { LogRecord } from '../../audit/log-rows.ts'
import type { ApiKeyPrincipal } from '../../auth/principal.ts'

export type Writer = Readonly<{
  principal: ApiKeyPrincipal
  /** The injected clock's now. */
  now: Date
  /** The caller's Idempotency-Key and the SHA-256 of what was asked; null without one. */
  once: Readonly<{ name: string; request: Buffer }> | null
  /** The row of the activity log and the practice's record of access, committed with the write. */
  record: (patientId: string) => LogRecord
  /** What must hold of the write within its transaction: it throws, and nothing is written. */
  within: (client: pg.PoolClient, patientId: string) => Promise<void>
}>

export type Outcome =
  /** The FHIR text as it is stored. */
  | Readonly<{ kind: 'created'; id: string; content: string }>
  /** Nothing was written: the same request made this before. */
  | Readonly<{ kind: 'again'; id: string }>
  /** The key is not good (any more), or its practice has moved. */
  | Readonly<{ kind: 'dead' }>
