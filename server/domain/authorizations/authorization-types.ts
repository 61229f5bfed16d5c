import type { Scope } from '../../contract/smart/scopes.ts'

/** Identifies an authorize request and the browser. */
export type AuthorizationHandle = Readonly<{
  /** The id in the page's path, `/authorize/{id}`. It is the request itself, sealed. */
  id: string
  /** The unparsed Cookie header. */
  cookieHeader: string | null
}>

/** A patient whose record the signed-in person may share with the app. */
export type AuthorizablePatient = Readonly<{
  patientId: string
  name: string
  /** An ISO date, which may lack the day or the month. */
  birthDate: string | null
  /** `self` or `parent` for patients; null for a clinician. */
  relationship: string | null
}>

/** Whether the signed-in account may decide on the request. */
export type Eligibility =
  | Readonly<{ kind: 'eligible' }>
  /** The person does not belong to this practice, or has no role that may use apps. */
  | Readonly<{ kind: 'not_of_practice' }>
  /** The EHR launched the app for another clinician than the one signed in. */
  | Readonly<{ kind: 'other_clinician' }>

export type Decision = Readonly<{
  /** Ignored if the launch names a patient. */
  patientId: string | null
  /** The selected scopes. Only offered scopes are granted. */
  scopes: readonly Scope[]
  /** Whether `offline_access` or `online_access` is granted, if requested. */
  offlineAccess: boolean
}>
