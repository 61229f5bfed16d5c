/**
 * All codes that the seed writes. The JSON tables beside this file contain published codes, see NOTICE.md. Shares, rates,
 * ranges and pairings are invented for synthetic people and are no clinical guidance.
 */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import allergyTables from './allergies.json' with { type: 'json' }
import conditionTable from './conditions.json' with { type: 'json' }
import demographicTables from './demographics.json' with { type: 'json' }
import drugRules from './drug-rules.json' with { type: 'json' }
import labTables from './labs.json' with { type: 'json' }
import medicationTable from './medications.json' with { type: 'json' }
import procedureTable from './procedures.json' with { type: 'json' }
import surveyTables from './surveys.json' with { type: 'json' }
import terminology from './terminology.json' with { type: 'json' }
import vaccineTable from './vaccines.json' with { type: 'json' }
import vitalTable from './vitals.json' with { type: 'json' }

/** Types the rows of a table as `Row`. */
const rowsOf =
  <Row>() =>
  <Key extends string>(table: Record<Key, unknown>) =>
    table as Readonly<Record<Key, Row>>

interface Condition {
  readonly codings: readonly Coding[]
  readonly text: string
  readonly kind: 'chronic' | 'acute' | 'history' | 'pregnancy' | 'sdoh'
  readonly sex: 'any' | 'female' | 'male'
  /** In whole years. */
  readonly ages: readonly [min: number, max: number]
  /** The share of people of that sex and age, 0 to 1. */
  readonly share?: number
}

export const conditions = rowsOf<Condition>()(conditionTable)
export type ConditionKey = keyof typeof conditions

interface Medication {
  readonly coding: Coding
  readonly sig: string
  /** The amount of one dose. The unit is UCUM if it exists there, otherwise a word. */
  readonly dose: readonly [amount: number, unit: string]
  readonly timesPerDay?: number
  /** The interval of a dose that is not taken a number of times a day. */
  readonly every?: readonly [period: number, unit: 'min' | 'h' | 'wk', most?: number]
  readonly asNeeded?: boolean
  /** Taken for some days and not permanently. */
  readonly course?: boolean
  /** The days of a course; ten by default. */
  readonly days?: number
  /** The dispensed amount, if it is not dose times days. */
  readonly pack?: number
  readonly indications: readonly (ConditionKey | 'food-allergy' | 'contraception' | 'smoking-cessation')[]
}

export const medications = rowsOf<Medication>()(medicationTable)
export type MedicationKey = keyof typeof medications

/** The amount of one fill in the unit of the dose: a course, or three months of a permanent medication. */
export function suppliedAmount(key: MedicationKey): number {
  const { dose, timesPerDay = 1, course, days = 10, pack } = medications[key]
  return pack ?? Math.round((course ? days : 90) * timesPerDay * dose[0] * 10) / 10
}

interface Allergen {
  readonly coding: Coding
  readonly category: 'medication' | 'food' | 'environment'
  readonly criticality: 'low' | 'high'
}

export const allergens = rowsOf<Allergen>()(allergyTables.allergens)
export const { noKnownAllergy, reactions } = allergyTables
export type AllergenKey = keyof typeof allergens
export type ReactionKey = keyof typeof reactions

/** Drugs of a class are not taken together. */
export const drugClasses = rowsOf<readonly MedicationKey[]>()(drugRules.drugClasses)
export type DrugClass = keyof typeof drugClasses

export const classOf = (drug: MedicationKey): DrugClass | undefined =>
  (Object.keys(drugClasses) as DrugClass[]).find((name) => drugClasses[name].includes(drug))

/** Pairs of classes that are not started together. */
export const apart = drugRules.apart as unknown as readonly (readonly [DrugClass, DrugClass])[]
/** Conditions that rule out a drug class. */
export const unsuited: Partial<Record<DrugClass, readonly ConditionKey[]>> = rowsOf<
  readonly ConditionKey[]
>()(drugRules.unsuited)
/** Drugs that an allergy rules out. */
export const ruledOutBy: Partial<Record<AllergenKey, readonly MedicationKey[]>> = rowsOf<
  readonly MedicationKey[]
>()(drugRules.ruledOutBy)

interface Lab {
  readonly coding: Coding
  readonly text: string
  /** The UCUM unit; without one the result is positive or negative. */
  readonly unit?: string
  readonly low?: number
  readonly high?: number
  readonly mean?: number
  readonly deviation?: number
  readonly decimals?: number
}

interface Panel {
  readonly coding: Coding
  readonly text: string
  readonly specimen: keyof typeof specimens
  readonly members: readonly LabKey[]
}

export const labs = rowsOf<Lab>()(labTables.labs)
export const panels = rowsOf<Panel>()(labTables.panels)
/** `findings` are coded results. */
export const { findings, specimens } = labTables
export type LabKey = keyof typeof labs
export type PanelKey = keyof typeof panels

interface Vital {
  readonly coding: Coding
  /** The UCUM unit that the profile requires. */
  readonly unit: string
}

export const vitals = rowsOf<Vital>()(vitalTable)
export type VitalKey = keyof typeof vitals

interface Vaccine {
  readonly coding: Coding
  readonly ageMonths?: readonly number[]
  /** The first and last year of use, if products have replaced each other. */
  readonly years?: readonly [first: number, last: number]
}

export const vaccines = rowsOf<Vaccine>()(vaccineTable)
export type VaccineKey = keyof typeof vaccines

export const procedures = rowsOf<Coding>()(procedureTable)
export type ProcedureKey = keyof typeof procedures

export interface Question {
  readonly coding: Coding
  /** The wording of the question. */
  readonly text: string
  readonly answers: readonly Coding[]
}

function question({ answers, ...row }: { coding: Coding; text: string; answers: string }): Question {
  return { ...row, answers: surveyTables.answerLists[answers as keyof typeof surveyTables.answerLists] }
}

export const phq9Questions = surveyTables.phq9Questions.map(question)
export const hungerQuestions = surveyTables.hungerQuestions.map(question)
/** The questions of PRAPARE that the practices use. */
export const prapareQuestions = rowsOf<Question>()(
  Object.fromEntries(
    Object.entries(surveyTables.prapareQuestions).map(([key, row]) => [key, question(row)]),
  ) as Record<keyof typeof surveyTables.prapareQuestions, Question>,
)
export const { surveyCodes } = surveyTables

/** Codes of HL7, US Core and demographics, and those of SNOMED CT, LOINC and NUCC that US Core uses. */
export const terms = { ...demographicTables, ...terminology }
export type Specialty = keyof typeof terms.specialties
export type ObservationProfile = keyof typeof terms.observationProfiles
