import type { Scope } from '../../contract/smart/scopes.ts'
import type { SystemAuthorizationState } from '../../contract/workflows/system-authorization-workflow.ts'

export type SystemAuthorization = Readonly<{
  id: string
  practice: Readonly<{ id: string; slug: string; name: string }>
  client: Readonly<{
    clientId: string
    name: string
    homepage: string | null
    organizationName: string | null
  }>
  state: SystemAuthorizationState
  /** Asked for; once granted, what was granted. */
  scopes: readonly Scope[]
  /** What the developer says it is for. */
  purpose: string
  requestedAt: Date
  decidedAt: Date | null
  decidedBy: string | null
  reason: string | null
  lastUsedAt: Date | null
  /** Raised by every change; handed back with a decision. */
  version: number
}>
