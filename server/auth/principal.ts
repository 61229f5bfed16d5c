/** Whoever calls. What a cache may hold of a caller; whether it is still good is asked of the database. */
import type { Liveness } from '../store/liveness.ts'

export type ApiKeyPrincipal = Readonly<{
  kind: 'api_key'
  keyId: string
  /** The public part, 12 characters. */
  keyPrefix: string
  keyName: string
  level: 'read_only' | 'full'
  environment: 'sandbox' | 'production'
  expiresAt: Date
  practice: Readonly<{ id: string; slug: string; name: string; datasetId: number }>
}>

/** Who calls an interface; more kinds join it with their doors. */
export type Principal = ApiKeyPrincipal

/** What the next statement must find true for the answer to be given. */
export function livenessOf(principal: Principal, now: Date): Liveness {
  return {
    kind: principal.kind,
    keyId: principal.keyId,
    practiceId: principal.practice.id,
    datasetId: principal.practice.datasetId,
    now,
  }
}
