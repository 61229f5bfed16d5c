/**
 * The scopes of SMART App Launch 2, https://hl7.org/fhir/smart-app-launch/STU2.2/scopes-and-launch-context.html
 * One grammar for the authorization server, the FHIR door, consent and the portal.
 */
import type { FhirType, SearchParameterName } from './fhir-registry.ts'

/** `patient/Observation.rs?category=http://…|laboratory`, `user/*.read`, `system/Group.rs`. */
export type ResourceScope = Readonly<{
  kind: 'resource'
  context: 'patient' | 'user' | 'system'
  type: FhirType | '*'
  read: boolean
  search: boolean
  /** Narrows to resources that this one token parameter matches; null for the whole type. */
  filter: ScopeFilter | null
  /** The syntax it was asked in and is answered in: `.read` is 1, `.rs` is 2. */
  version: 1 | 2
}>

export type ScopeFilter = Readonly<{
  parameter: SearchParameterName
  /** Null: a code of any system. */
  system: string | null
  code: string
}>

/** Everything that is not about a type. */
export type LaunchScope = Readonly<{
  kind: 'launch'
  name: (typeof launchScopeNames)[number]
}>

export type Scope = ResourceScope | LaunchScope

export const launchScopeNames = [
  'openid',
  'fhirUser',
  'launch',
  'launch/patient',
  'launch/encounter',
  'offline_access',
  'online_access',
] as const
