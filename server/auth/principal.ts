/** The caller as it may be cached. Only the database decides whether its credential is still valid. */
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
  /** The owner allows AI assistants to write with the key. */
  mcpWrites: boolean
  expiresAt: Date
  /** Every change of these values raises it. A higher version in the database makes the principal stale. */
  version: number
  /** The limits on classes and purposes, in force from `narrowedFrom`; null if the key is not narrowed. */
  access: KeyAccess | null
  narrowedFrom: Date | null
  /** The practice's daily limits and hours; null if the key is not capped. */
  caps: KeyCaps | null
  /** CIDR networks that may use the key; an empty list allows all addresses. */
  allowedNetworks: readonly string[]
  /** Requests per second and per minute that replace the published limits. */
  limits: readonly [burst: number, sustained: number] | null
  practice: Readonly<{ id: string; slug: string; name: string; datasetId: number }>
}>

/** The limits that are in force now; null if there are none. */
export const accessAt = ({ access, narrowedFrom }: ApiKeyPrincipal, now: Date): KeyAccess | null =>
  narrowedFrom === null || narrowedFrom > now ? null : access

/** A bearer token of the FHIR and bulk interfaces. */
export type SmartPrincipal = Readonly<{
  kind: 'smart_token'
  tokenId: string
  /** The grant of a person or practice from which the token was issued. */
  grantId: string
  /** The `client_id`. */
  clientId: string
  audience: 'patient' | 'clinician' | 'backend'
  environment: 'sandbox' | 'production'
  expiresAt: Date
  practice: Readonly<{ id: string; slug: string; name: string; datasetId: number }>
  /** The patient of a patient's token or of a launch; null for all other tokens. */
  patientId: string | null
  encounterId: string | null
  /** A relative reference to a Patient, Practitioner or RelatedPerson; null for backends. */
  fhirUser: string | null
  /** The token has the scope `fhirUser`: it may read the resource that `fhirUser` names. */
  readsFhirUser: boolean
  /** The granted scopes, sorted by type. */
  scopes: readonly ResourceScope[]
  /** The types that the practice's FHIR policy allows; null for all. */
  typesAllowed: readonly string[] | null
}>

type Principal = ApiKeyPrincipal | SmartPrincipal

/** What the next statement checks before it returns data. */
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

/** Like `livenessOf`, for later statements of a response, which must read the same dataset as the first. */
export const begunLivenessOf = (principal: Principal, now: Date): Liveness =>
  begunWith(livenessOf(principal, now))
