/** What people and practices allowed, as lists for their pages. */
import type { Scope } from '../../contract/smart/scopes.ts'

/** What an app may read of one patient's record, or of no particular one's. */
export type AllowedRecord = Readonly<{
  patientId: string | null
  /** All that live authorizations grant, each scope once. */
  scopes: readonly Scope[]
}>

/** One app that one person allowed at one practice, however often. */
export type AllowedApp = Readonly<{
  /** The newest of its live grants; revoking it revokes all of them. */
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
  /** The most recently allowed first. */
  records: readonly AllowedRecord[]
  /** Null when it was allowed once. */
  firstGrantedAt: Date | null
  /** When the person last allowed it. */
  grantedAt: Date
  /** When a token was last given out. */
  lastUsedAt: Date | null
  /** It may go on without the person. */
  offline: boolean
  /** Until when it works without asking again. */
  endsAt: Date | null
}>
