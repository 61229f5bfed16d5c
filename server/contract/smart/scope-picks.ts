/**
 * The parts of a type that a person can leave out when an app asks for all of it: categories that US Core gives
 * to its records, https://hl7.org/fhir/us/core/STU6.1/scopes.html. A type without a row here is taken whole.
 */
import type { FhirType } from '../fhir/registry.ts'
import type { ScopeFilter } from './scopes.ts'

export type ScopePick = Readonly<{ filter: ScopeFilter; title: string; hint: string | null }>

const conditionCategory = 'http://terminology.hl7.org/CodeSystem/condition-category'
const usCoreConditionCategory = 'http://hl7.org/fhir/us/core/CodeSystem/condition-category'
const observationCategory = 'http://terminology.hl7.org/CodeSystem/observation-category'
const usCoreObservationCategory = 'http://hl7.org/fhir/us/core/CodeSystem/us-core-observation-category'
const usCoreCategory = 'http://hl7.org/fhir/us/core/CodeSystem/us-core-category'

function category(system: string, code: string, title: string, hint: string | null = null): ScopePick {
  return { filter: { parameter: 'category', system, code }, title, hint }
}

const picks: Partial<Readonly<Record<FhirType, readonly ScopePick[]>>> = {
  Condition: [
    category(conditionCategory, 'problem-list-item', 'Ongoing problems', 'The problem list'),
    category(conditionCategory, 'encounter-diagnosis', 'Diagnoses of visits', 'What a visit was about'),
    category(usCoreConditionCategory, 'health-concern', 'Health concerns', 'Recorded worries and risks'),
  ],
  Observation: [
    category(observationCategory, 'laboratory', 'Lab results', 'Blood tests, urine tests'),
    category(observationCategory, 'vital-signs', 'Vital signs', 'Blood pressure, weight, pulse'),
    category(observationCategory, 'social-history', 'Habits', 'Smoking, alcohol, work'),
    category(observationCategory, 'survey', 'Questionnaire scores', 'Mood, memory, daily living'),
    category(usCoreCategory, 'sdoh', 'Living situation', 'Housing, food, safety'),
    category(usCoreObservationCategory, 'clinical-test', 'Clinical tests', 'Heart tracing, breathing test'),
    category(observationCategory, 'imaging', 'Imaging findings'),
    category(observationCategory, 'exam', 'Examination findings'),
    category(observationCategory, 'procedure', 'Findings of procedures'),
  ],
}

/** The parts of a type, in the order in which people are asked; empty for most types. */
export const picksOf = (type: FhirType): readonly ScopePick[] => picks[type] ?? []
