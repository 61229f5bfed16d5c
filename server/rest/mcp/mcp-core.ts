/** The dependencies of the MCP tools, resources and prompts. */
import type { LogRecord } from '../../audit/log-rows.ts'
import type { CcdService } from '../../ccd/ccd.ts'
import type { Deprecations } from '../../contract/http/deprecations.ts'
import type { Keyring } from '../../keyring.ts'
import type { Limiter } from '../../limits/windows.ts'
import type { createCursors } from '../../search/cursor.ts'
import type { Store } from '../../store/store.ts'
import type { Authentication } from '../authentication.ts'
import type { Caps } from '../caps.ts'
import type { OperationCalls } from '../operation-calls.ts'

export type McpCore = {
  env: { PUBLIC_ORIGIN: string; REST_ORIGIN: string }
  store: Pick<Store, 'search' | 'read' | 'documents' | 'offeredRows'>
  ccd: CcdService
  keyring: Pick<Keyring, 'seal' | 'open'>
  clock: () => Date
  deprecations: Deprecations
  limiter: Limiter
  recorder: { commit(record: LogRecord): Promise<void>; note(record: LogRecord): void }
  authentication: Authentication
  caps: Caps
  operationCalls: OperationCalls
  cursors: ReturnType<typeof createCursors>
}
