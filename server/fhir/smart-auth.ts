/** What this door asks of `auth/smart-token`. */
import type { SmartPrincipal } from '../auth/principal.ts'
import type { Liveness } from '../store/liveness.ts'

export type SmartOutcome =
  /** `fresh`: the database said so during this very request. */
  | { kind: 'principal'; principal: SmartPrincipal; fresh: boolean }
  | { kind: 'refused'; reason: string; clientId: string | null; practiceId: string | null }

export type SmartAuth = {
  authenticate(authorization: string | null): Promise<SmartOutcome>
  /** Forgets what is cached and asks the database. */
  authenticateAnew(authorization: string | null): Promise<SmartOutcome>
  isAlive(principal: SmartPrincipal): Promise<boolean>
  livenessOf(principal: SmartPrincipal, now: Date): Liveness
}
