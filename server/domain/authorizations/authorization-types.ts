/**
 * A person deciding on an app's request: what the authorize page shows and may do. The authorize endpoint has
 * checked and sealed the request; everything here needs the browser that it came with.
 */
import type { EarlierChoice } from '../../contract/smart/consent-groups.ts'
import type { Scope } from '../../contract/smart/scopes.ts'
import type { Actor } from '../actor.ts'

/** Which request, in which browser. */
export type AuthorizationHandle = Readonly<{
  /** Of the page's path, `/authorize/{id}`: the request itself, sealed. */
  id: string
  /** The request's Cookie header, as it came. */
  cookieHeader: string | null
}>

export type PendingAuthorization = Readonly<{
  id: string
  client: Readonly<{
    clientId: string
    name: string
    description: string
    homepage: string | null
    logoUrl: string | null
    audience: 'patient' | 'clinician'
    /** `confidential` apps keep their credential on a server. */
    kind: 'public' | 'confidential'
    /** The organization that registered it; null for our own sample apps. */
    organizationName: string | null
    environment: 'sandbox' | 'production'
  }>
  practice: Readonly<{ id: string; slug: string; name: string }>
  /** Null: the app was opened by itself. */
  launch: null | Readonly<{
    patientId: string | null
    encounterId: string | null
    practitionerId: string | null
    intent: string | null
  }>
  /** Offered: asked, registered, and let out by the practice. */
  scopes: readonly Scope[]
  /** For the page's `form-action`: an origin, or the scheme of a native app such as `com.example.app:`. */
  redirectOrigin: string
  /** Who must sign in. */
  realm: 'patient' | 'practice'
  /** A patient is part of the answer, and the launch names none. */
  needsPatientChoice: boolean
  expiresAt: Date
}>

/** Somebody whose record the signed-in person may open to the app. */
export type AuthorizablePatient = Readonly<{
  patientId: string
  name: string
  /** ISO date, shortened where the record has no more. */
  birthDate: string | null
  /** `self` and `parent` for patients; null when a clinician looks. */
  relationship: string | null
}>

/** Whether the signed-in account may decide here at all. */
export type Eligibility =
  | Readonly<{ kind: 'eligible' }>
  /** Another practice's person, or one without a role that may use apps. */
  | Readonly<{ kind: 'not_of_practice' }>
  /** The EHR launched the app for another clinician than the one signed in. */
  | Readonly<{ kind: 'other_clinician' }>

export type Decision = Readonly<{
  /** Ignored when the launch names a patient. */
  patientId: string | null
  /** What was ticked; nothing beyond what was offered is granted. */
  scopes: readonly Scope[]
  /** Without it neither `offline_access` nor `online_access` is granted. */
  offlineAccess: boolean
}>

export interface Authorizations {
  /** @throws Problem `not_found`: unknown, over, decided already, or another browser's */
  get(handle: AuthorizationHandle): Promise<PendingAuthorization>
  eligibility(handle: AuthorizationHandle, actor: Actor): Promise<Eligibility>
  /** For patients: themselves and whom they stand for. Empty for everybody else. */
  people(handle: AuthorizationHandle, actor: Actor): Promise<readonly AuthorizablePatient[]>
  /** One person, for a banner: of the launch, or chosen. Null when it is none the actor may choose. */
  findPatient(
    handle: AuthorizationHandle,
    actor: Actor,
    patientId: string,
  ): Promise<AuthorizablePatient | null>
  /** For clinicians: names, or a medical record number. Empty for everybody else. Recorded as access. */
  searchPatients(
    handle: AuthorizationHandle,
    actor: Actor,
    search: { q: string; limit: number },
  ): Promise<readonly AuthorizablePatient[]>
  /**
   * What the actor ticked and left out the last time this app asked about this record, ended or not; of a clinician, about
   * any record. Null when there is none, or the app is of a launch without an account.
   */
  lastChoice(
    handle: AuthorizationHandle,
    actor: Actor,
    patientId: string | null,
  ): Promise<EarlierChoice | null>
  /**
   * Makes the grant and its code; a request is decided once.
   * @returns where to send the browser, an address of the app
   * @throws Problem `not_found`, `forbidden` (not eligible), `validation` (no patient chosen, nothing ticked)
   */
  approve(handle: AuthorizationHandle, actor: Actor, decision: Decision): Promise<{ redirectTo: string }>
  /** Also for somebody who is not signed in (then nothing is stored), or signed in as the wrong person. @throws Problem `not_found` */
  deny(handle: AuthorizationHandle, actor: Actor | null): Promise<{ redirectTo: string }>
}
