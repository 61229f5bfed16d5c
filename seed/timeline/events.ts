/**
 * What happens to a patient, before any FHIR. Every event becomes exactly one resource. `key` is the event's name
 * within the patient; other events point at it.
 */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import type { ConditionKey, MedicationKey, ObservationProfile, VaccineKey } from '../codes/codes.ts'
import type { PersonName } from '../people/names.ts'
import type { Contact, PersonAddress } from '../people/person.ts'

interface Happening<Kind extends string> {
  readonly kind: Kind
  readonly key: string
  /** A date, or a dateTime with its offset. */
  readonly at: string
  /** Key of the encounter at which it happened. */
  readonly visit?: string
  /** Marked as what people most want kept quiet. */
  readonly sensitive?: boolean
}

/** Why something was done: a condition of the patient's, or a code alone. */
export type Reason = { readonly condition: string } | { readonly coding: Coding }

export interface EncounterEvent extends Happening<'encounter'> {
  readonly end: string
  readonly type: Coding
  readonly class: Coding
  readonly reason?: Reason
  readonly clinicianId: string
  readonly locationId: string
  readonly discharge?: Coding
}

export interface ConditionEvent extends Happening<'condition'> {
  readonly role: 'problem' | 'concern' | 'diagnosis'
  readonly code: ConditionKey
  readonly onset?: string
  readonly abated?: string
  readonly recorded: string
  /** Social, functional … : a screening found it. */
  readonly screening?: Coding
  readonly verification?: 'confirmed' | 'provisional' | 'mistaken'
}

export interface Quantity {
  readonly value: number
  /** UCUM. */
  readonly unit: string
}

export type ObservedValue =
  | { readonly quantity: Quantity }
  | { readonly codings: readonly Coding[]; readonly text?: string }
  | { readonly text: string }
  | { readonly boolean: boolean }

export interface ObservedComponent {
  readonly code: Coding
  readonly value?: ObservedValue
  readonly absent?: Coding
}

export interface ObservationEvent extends Happening<'observation'> {
  readonly profile: ObservationProfile
  readonly categories: readonly Coding[]
  readonly codes: readonly Coding[]
  readonly text?: string
  readonly value?: ObservedValue
  /** Why there is no value. */
  readonly absent?: Coding
  readonly components?: readonly ObservedComponent[]
  readonly range?: { readonly low?: number; readonly high?: number; readonly unit: string }
  readonly interpretation?: Coding
  readonly specimen?: string
  readonly members?: readonly string[]
  readonly derivedFrom?: readonly string[]
  /** First day of something that goes on, instead of a moment. */
  readonly since?: string
  readonly status?: 'final' | 'preliminary' | 'amended' | 'cancelled' | 'entered-in-error'
}

export interface SpecimenEvent extends Happening<'specimen'> {
  readonly type: Coding
}

export interface ReportEvent extends Happening<'report'> {
  readonly profile: 'lab' | 'note'
  readonly category: Coding
  readonly code: Coding
  readonly text: string
  readonly results: readonly string[]
  readonly specimen?: string
  readonly basedOn?: string
  readonly conclusion?: string
  /** The document that holds the report as it was written. */
  readonly document?: string
  /** Issued minutes after. */
  readonly issued: string
}

export interface OrderEvent extends Happening<'order'> {
  readonly code: Coding
  readonly text?: string
  readonly category: Coding
  readonly reason?: Reason
  readonly until?: string
  readonly status?: 'active' | 'completed' | 'revoked'
}

export interface PrescriptionEvent extends Happening<'prescription'> {
  readonly medication: MedicationKey
  readonly reason?: Reason
  readonly status: 'active' | 'completed' | 'stopped'
  /** Told by the patient, or by a clinician elsewhere, and not ordered here. */
  readonly reported?: 'patient' | 'clinician'
  /** Refers to the practice's Medication instead of holding the code. */
  readonly listed?: boolean
  readonly until?: string
  readonly quantity: number
  readonly refills: number
}

export interface DispenseEvent extends Happening<'dispense'> {
  readonly prescription: string
  readonly medication: MedicationKey
  readonly listed?: boolean
  readonly quantity: number
  readonly first: boolean
}

export interface ImmunizationEvent extends Happening<'immunization'> {
  readonly vaccine: VaccineKey
  readonly lot?: string
  /** Not given, because of this. */
  readonly refused?: Coding
  /** False: told by the patient or another record. */
  readonly seen: boolean
}

export interface ProcedureEvent extends Happening<'procedure'> {
  readonly code: Coding
  readonly end?: string
  readonly basedOn?: string
  readonly reason?: Reason
  readonly status?: 'completed' | 'not-done'
  readonly clinicianId: string
}

export interface AllergyEvent extends Happening<'allergy'> {
  readonly substance: Coding
  readonly category?: 'medication' | 'food' | 'environment'
  readonly criticality?: 'low' | 'high'
  readonly onset?: string
  readonly resolved?: boolean
  readonly unconfirmed?: boolean
  readonly reactions: readonly { readonly code: Coding; readonly severity: 'mild' | 'moderate' | 'severe' }[]
}

export interface DocumentEvent extends Happening<'document'> {
  readonly type: Coding
  readonly title: string
  readonly contentType: string
  readonly format: Coding
  /** Stands in the resource itself. */
  readonly text?: string
  /** Name of stored bytes, served beside the resource. */
  readonly file?: string
  readonly until?: string
  readonly status?: 'current' | 'superseded'
}

export interface AnswerItem {
  readonly linkId: string
  readonly text: string
  readonly coding?: Coding
  readonly decimal?: number
  readonly string?: string
  /** Questions of a group. */
  readonly items?: readonly AnswerItem[]
  /** Questions that follow from the answer. */
  readonly followUps?: readonly AnswerItem[]
}

export interface AnswersEvent extends Happening<'answers'> {
  /** Canonical address of the questionnaire; `uri` is a form that is not FHIR's. */
  readonly questionnaire: string
  readonly uri?: string
  readonly title: string
  readonly items: readonly AnswerItem[]
}

export interface CarePlanEvent extends Happening<'carePlan'> {
  readonly title: string
  readonly lines: readonly string[]
  readonly conditions: readonly string[]
  readonly goals: readonly string[]
  readonly status: 'active' | 'completed'
  readonly until?: string
}

export interface CareTeamEvent extends Happening<'careTeam'> {
  readonly name: string
  readonly status: 'active' | 'inactive'
  readonly members: readonly {
    readonly role: Coding
    readonly clinicianId?: string
    readonly clinicianRoleId?: string
    readonly person?: 'patient'
    /** Key of a related person. */
    readonly related?: string
  }[]
}

export interface GoalEvent extends Happening<'goal'> {
  readonly description: string
  readonly coding?: Coding
  readonly measure?: Coding
  readonly target?: Quantity
  readonly due: string
  readonly conditions: readonly string[]
  readonly status: 'active' | 'completed'
}

export interface CoverageEvent extends Happening<'coverage'> {
  readonly payer: 'commercial' | 'public'
  readonly member: string
  readonly dependent: boolean
  readonly until?: string
}

export interface RelatedPersonEvent extends Happening<'relatedPerson'> {
  readonly relationship: Coding
  readonly name: PersonName
  readonly telecom: readonly Contact[]
  readonly addresses: readonly PersonAddress[]
}

export interface DeviceEvent extends Happening<'device'> {
  readonly type: Coding
  readonly name: string
  readonly lot: string
  readonly serial: string
  readonly made: string
  readonly expires: string
}

export type ClinicalEvent =
  | EncounterEvent
  | ConditionEvent
  | ObservationEvent
  | SpecimenEvent
  | ReportEvent
  | OrderEvent
  | PrescriptionEvent
  | DispenseEvent
  | ImmunizationEvent
  | ProcedureEvent
  | AllergyEvent
  | DocumentEvent
  | AnswersEvent
  | CarePlanEvent
  | CareTeamEvent
  | GoalEvent
  | CoverageEvent
  | RelatedPersonEvent
  | DeviceEvent

export type EventKind = ClinicalEvent['kind']
/** An event of a kind before it has a key. */
export type Unnamed<Event> = Event extends ClinicalEvent
  ? Omit<Event, 'key'> & { readonly key?: string }
  : never
