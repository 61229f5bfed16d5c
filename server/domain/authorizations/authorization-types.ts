import type { Scope } from '../../contract/smart/scopes.ts'

/** Which request, in which browser. */
export type AuthorizationHandle = Readonly<{
  /** Of the page's path, `/authorize/{id}`: the request itself, sealed. */
  id: string
  /** The request's Cookie header, as it came. */
  cookieHeader: string | null
}>

/** A person whose record the signed-in person may open to the app. */
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
