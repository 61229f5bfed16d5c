/**
 * The events of a patient, independent of FHIR. Every event becomes exactly one resource. Other events refer to it by `key`,
 * which is unique within the patient.
 */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import type { ConditionKey, MedicationKey, ObservationProfile, VaccineKey } from '../codes/codes.ts'
import type { Contact, PersonAddress, PersonName } from '../people/person.ts'

/** Why something was done: a condition of the patient's, or a code alone. */
export type Reason = { readonly condition: string } | { readonly coding: Coding }

export interface Quantity {
  readonly value: number
  /** UCUM. */
  readonly unit: string
}

export type ObservedValue =
  | { readonly quantity: Quantity }
  | { readonly codings: readonly Coding[] }
  | { readonly text: string }
  | { readonly boolean: boolean }

export interface ObservedComponent {
  readonly code: Coding
  readonly value?: ObservedValue
  readonly absent?: Coding
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

/** The fields of each kind of event beside those that all have. */
interface Details {
  encounter: {
    end: string
    type: Coding
    class: Coding
    reason?: Reason
    clinicianId: string
    discharge?: Coding
  }
  condition: {
    role: 'problem' | 'concern' | 'diagnosis'
    code: ConditionKey
    onset?: string
    abated?: string
    recorded: string
    /** Social, functional … : a screening found it. */
    screening?: Coding
    verification?: 'confirmed' | 'mistaken'
  }
  observation: {
    profile: ObservationProfile
    categories: readonly Coding[]
    codes: readonly Coding[]
    text?: string
    value?: ObservedValue
    /** Why there is no value. */
    absent?: Coding
    components?: readonly ObservedComponent[]
    range?: { readonly low?: number; readonly high?: number; readonly unit: string }
    interpretation?: Coding
    specimen?: string
    members?: readonly string[]
    derivedFrom?: readonly string[]
    /** First day of something that goes on, instead of a moment. */
    since?: string
  }
  specimen: { type: Coding }
  report: {
    profile: 'lab' | 'note'
    category: Coding
    code: Coding
    text: string
    results: readonly string[]
    specimen?: string
    basedOn?: string
    conclusion?: string
    /** The document that holds the report as it was written. */
    document?: string
    /** Issued minutes after. */
    issued: string
  }
  order: {
    code: Coding
    text?: string
    category: Coding
    reason?: Reason
    until?: string
    status?: 'active' | 'completed' | 'revoked'
  }
  prescription: {
    medication: MedicationKey
    reason?: Reason
    status: 'active' | 'completed' | 'stopped'
    /** Reported by the patient or by another clinician, and not ordered here. */
    reported?: 'patient' | 'clinician'
    /** Refers to the practice's Medication instead of holding the code. */
    listed?: boolean
    until?: string
    quantity: number
    refills: number
  }
  dispense: {
    prescription: string
    medication: MedicationKey
    listed?: boolean
    quantity: number
    first: boolean
  }
  immunization: {
    vaccine: VaccineKey
    lot?: string
    /** Not given, because of this. */
    refused?: Coding
    /** False if it was reported by the patient or another record. */
    seen: boolean
  }
  procedure: {
    code: Coding
    end?: string
    basedOn?: string
    reason?: Reason
    status?: 'completed' | 'not-done'
    /** The clinician of the visit by default. */
    clinicianId?: string
  }
  allergy: {
    substance: Coding
    category?: 'medication' | 'food' | 'environment'
    criticality?: 'low' | 'high'
    onset?: string
    reactions: readonly { readonly code: Coding; readonly severity: 'mild' | 'moderate' | 'severe' }[]
  }
  document: {
    type: Coding
    title: string
    contentType: string
    format: Coding
    /** The resource holds it as an attachment, unless there is a file. */
    text: string
    /** Kind of stored bytes, served beside the resource. */
    file?: 'pdf' | 'png' | 'ccda' | 'text' | 'large'
    until: string
    status?: 'current' | 'superseded'
  }
  answers: {
    /** Canonical address of the questionnaire; `uri` is a form that is not FHIR's. */
    questionnaire: string
    uri?: string
    title: string
    items: readonly AnswerItem[]
  }
  carePlan: {
    title: string
    lines: readonly string[]
    conditions: readonly string[]
    goals: readonly string[]
  }
  careTeam: {
    name: string
    status: 'active' | 'inactive'
    /** The patient, unless one of the others is named. */
    members: readonly {
      readonly role: Coding
      readonly clinicianId?: string
      readonly clinicianRoleId?: string
      /** Key of a related person. */
      readonly related?: string
    }[]
  }
  goal: {
    description: string
    coding: Coding
    measure: Coding
    target: Quantity
    due: string
    conditions: readonly string[]
  }
  coverage: { payer: 'commercial' | 'public'; member: string; dependent: boolean }
  relatedPerson: {
    relationship: Coding
    name: PersonName
    telecom: readonly Contact[]
    addresses: readonly PersonAddress[]
  }
  device: { type: Coding; name: string; lot: string; serial: string; made: string; expires: string }
}

interface Happening<Kind> {
  readonly kind: Kind
  readonly key: string
  /** A date, or a dateTime with its offset. */
  readonly at: string
  /** Key of the encounter at which it happened. */
  readonly visit?: string
  /** Labelled as specially protected data. */
  readonly sensitive?: boolean
}

export type EventKind = keyof Details
export type EventOf<Kind extends EventKind> = Happening<Kind> & Readonly<Details[Kind]>
export type ClinicalEvent = { [Kind in EventKind]: EventOf<Kind> }[EventKind]

/** An event before it has a key. */
export type Unnamed = {
  [Kind in EventKind]: Omit<Happening<Kind>, 'key'> & Readonly<Details[Kind]> & { readonly key?: string }
}[EventKind]
/** An event of a visit, which gives it its time and place. */
export type AtVisit = {
  [Kind in EventKind]: Pick<Happening<Kind>, 'kind' | 'sensitive'> & Readonly<Details[Kind]>
}[EventKind]
