/** What people and practices allowed, as lists for their pages. */
import type { Scope } from '../../contract/scopes.ts'
import type { Actor } from '../actor.ts'

export type AllowedApp = Readonly<{
  grantId: string
  client: Readonly<{
    clientId: string
    name: string
    homepage: string | null
    logoUrl: string | null
    organizationName: string | null
  }>
  practice: Readonly<{ id: string; slug: string; name: string }>
  audience: 'patient' | 'clinician' | 'backend'
  scopes: readonly Scope[]
  patientId: string | null
  grantedAt: Date
  /** When a token was last given out. */
  lastUsedAt: Date | null
  /** It may go on without the person. */
  offline: boolean
  /** Until when it works without asking again. */
  endsAt: Date | null
}>

export interface Grants {
  /** The account's live grants, newest first. */
  listForAccount(accountId: string): Promise<readonly AllowedApp[]>
  /**
   * Ends a grant of the actor's own, or one at a practice the actor administers. From the answer on no token of it
   * is served. Twice is once.
   * @throws Problem `not_found`: nobody's, or not the actor's to end
   */
  revoke(grantId: string, actor: Actor): Promise<{ kind: 'revoked' | 'already_ended' }>
}
