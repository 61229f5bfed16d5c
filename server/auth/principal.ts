/** The caller, as a cache may hold it. Whether its credential is still valid is up to the database. */
import type { KeyAccess } from '../contract/keys/key-access.ts'
import type { KeyCaps } from '../contract/keys/key-caps.ts'
import type { ResourceScope } from '../contract/smart/scopes.ts'
import { begunWith, type Liveness } from '../store/liveness.ts'

export type ApiKeyPrincipal = Readonly<{
  kind: 'api_key'
  keyId: string
  /** The public part, 12 characters. */
  keyPrefix: string
  keyName: string
  level: 'read_only' | 'full'
  environment: 'sandbox' | 'production'
  /** Its owner lets AI assistants write with it. */
  mcpWrites: boolean
  expiresAt: Date
  /** Raised by every change of what stands here; one that has risen since makes the principal stale. */
  version: number
  /** What it was narrowed to, in force from `narrowedFrom` on; null: it is not narrowed. */
  access: KeyAccess | null
  narrowedFrom: Date | null
  /** What the practice allows it a day, and when; null: it is not capped. */
  caps: KeyCaps | null
  /** CIDR; none: it may come from everywhere. */
  allowedNetworks: readonly string[]
  /** Requests a second and a minute, in place of the published ones. */
  limits: readonly [burst: number, sustained: number] | null
  practice: Readonly<{ id: string; slug: string; name: string; datasetId: number }>
}>

/** What the key is narrowed to now; null: nothing. */
export const accessAt = ({ access, narrowedFrom }: ApiKeyPrincipal, now: Date): KeyAccess | null =>
  narrowedFrom === null || narrowedFrom > now ? null : access

/** A bearer token of the FHIR and bulk interfaces. */
export type SmartPrincipal = Readonly<{
  kind: 'smart_token'
  tokenId: string
  /** What a person or practice agreed to; the token came from it. */
  grantId: string
  /** Wire `client_id`. */
  clientId: string
  audience: 'patient' | 'clinician' | 'backend'
  environment: 'sandbox' | 'production'
  expiresAt: Date
  practice: Readonly<{ id: string; slug: string; name: string; datasetId: number }>
  /** The one chart that a patient's token, or a launch with a patient, is about; null for all others. */
  patientId: string | null
  encounterId: string | null
  /** Relative: `Patient/…`, `Practitioner/…`, `RelatedPerson/…`; null for backends. */
  fhirUser: string | null
  /** The token has the scope `fhirUser`: it may read the resource that `fhirUser` names. */
  readsFhirUser: boolean
  /** Sorted; what is granted, never wider. */
  scopes: readonly ResourceScope[]
  /** The practice's FHIR policy: types it lets out; null for all. */
  typesAllowed: readonly string[] | null
}>

/** Who calls an interface; more kinds join it with their interfaces. */
type Principal = ApiKeyPrincipal | SmartPrincipal

/** What the next statement must find true for the answer to be given. */
export function livenessOf(principal: Principal, now: Date): Liveness {
  const practice = { practiceId: principal.practice.id, datasetId: principal.practice.datasetId }
  switch (principal.kind) {
    case 'api_key':
      return { kind: 'api_key', keyId: principal.keyId, keyVersion: principal.version, ...practice, now }
    case 'smart_token':
      return {
        kind: 'smart_token',
        tokenId: principal.tokenId,
        typesAllowed: principal.typesAllowed,
        ...practice,
        now,
      }
  }
}

/** As `livenessOf`, for what an answer asks after its first statement: it ends on the data that it began with. */
export const begunLivenessOf = (principal: Principal, now: Date): Liveness =>
  begunWith(livenessOf(principal, now))
