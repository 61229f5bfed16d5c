/**
 * What each class of data covers: types of FHIR, fields and operations of the REST API, tools of MCP, sections of a CCD.
 * Enforcement, the OpenAPI document and the documentation all read it here.
 */

import type { CcdaSectionKey } from '../fhir/ccda-sections.ts'
import { confidentialitySystem } from '../fhir/codes.ts'
import type { FhirType } from '../fhir/registry.ts'
import type { McpToolName } from '../mcp/tools.ts'
import type { OperationId } from '../rest/operations.ts'
import type { DataClass } from './data-classes.ts'

/** A class of a type whose resources are distinguished by their category; without codes it has all the others. */
type CoveredPart = Readonly<{ dataClass: DataClass; categories?: readonly string[] }>

const whole = (dataClass: DataClass): readonly CoveredPart[] => [{ dataClass }]

/** Types that are not named here tell of no patient, or are not in these interfaces. */
export const typeCoverage: Readonly<Partial<Record<FhirType, readonly CoveredPart[]>>> = {
  AllergyIntolerance: whole('allergies'),
  CarePlan: whole('care_plans'),
  CareTeam: whole('care_plans'),
  Condition: whole('problems'),
  Coverage: whole('coverage'),
  Device: whole('procedures'),
  DiagnosticReport: whole('results'),
  DocumentReference: [{ dataClass: 'notes', categories: ['clinical-note'] }, { dataClass: 'documents' }],
  Encounter: whole('visits'),
  Goal: whole('care_plans'),
  Immunization: whole('immunizations'),
  Medication: whole('medications'),
  MedicationDispense: whole('medications'),
  MedicationRequest: whole('medications'),
  Observation: [
    { dataClass: 'vital_signs', categories: ['vital-signs'] },
    {
      dataClass: 'social_history',
      categories: ['social-history', 'survey', 'sdoh', 'functional-status', 'disability-status', 'activity'],
    },
    { dataClass: 'results' },
  ],
  Procedure: whole('procedures'),
  QuestionnaireResponse: whole('social_history'),
  RelatedPerson: whole('demographics'),
  ServiceRequest: whole('procedures'),
  Specimen: whole('results'),
}

/** Fields of the REST record of a patient; the others are given to every key. */
export const patientFieldClass = {
  mrn: 'identifiers',
  name: 'demographics',
  birthDate: 'demographics',
  sex: 'demographics',
  telecom: 'demographics',
  address: 'demographics',
  language: 'demographics',
  deceased: 'demographics',
  deceasedAt: 'demographics',
} as const satisfies Record<string, DataClass>

/** Parameters of a query by which a caller could ask about a class it may not read. */
export const patientQueryClass = {
  mrn: 'identifiers',
  q: 'demographics',
  dob: 'demographics',
} as const satisfies Record<string, DataClass>

/** Classes of which a key needs one (`any`) or each (`all`). */
export type ClassNeed = Readonly<{ any: readonly DataClass[] } | { all: readonly DataClass[] }>

/** Null: needs none. An operation without a row does not compile. */
export const operationNeeds: Readonly<Record<OperationId, ClassNeed | null>> = {
  getContext: null,
  getOpenApi: null,
  listPractitioners: null,
  getPractitioner: null,
  listLocationProviders: null,
  listPatients: { any: ['demographics', 'identifiers'] },
  getPatient: { any: ['demographics', 'identifiers'] },
  getCcda: { all: ['documents'] },
  createPatient: { all: ['demographics', 'identifiers'] },
  createEncounter: { all: ['visits'] },
  // What it makes is a clinical note.
  createDocument: { all: ['notes'] },
}

/** As of operations. */
export const toolNeeds: Readonly<Record<McpToolName, ClassNeed | null>> = {
  get_context: null,
  list_practitioners: null,
  search_patients: { any: ['demographics', 'identifiers'] },
  get_patient: { any: ['demographics', 'identifiers'] },
  get_patient_summary: {
    any: ['demographics', 'problems', 'allergies', 'medications', 'vital_signs', 'results'],
  },
  search_observations: { any: ['vital_signs', 'social_history', 'results'] },
  list_medications: { all: ['medications'] },
  list_encounters: { all: ['visits'] },
  list_conditions: { all: ['problems'] },
  list_allergies: { all: ['allergies'] },
  list_immunizations: { all: ['immunizations'] },
  list_procedures: { all: ['procedures'] },
  list_documents: { any: ['documents', 'notes'] },
  get_document_text: { any: ['documents', 'notes'] },
  get_ccd: { all: ['documents'] },
  create_patient: { all: ['demographics', 'identifiers'] },
  start_encounter: { all: ['visits'] },
  register_document: { all: ['notes'] },
}

/** Sections of the summary of a chart. */
export const summarySectionClass = {
  problems: 'problems',
  allergies: 'allergies',
  medications: 'medications',
  vitals: 'vital_signs',
  labs: 'results',
} as const satisfies Record<string, DataClass>

export const ccdaSectionClass = {
  allergies: 'allergies',
  medications: 'medications',
  problems: 'problems',
  results: 'results',
  socialHistory: 'social_history',
  vitalSigns: 'vital_signs',
  procedures: 'procedures',
  immunizations: 'immunizations',
  encounters: 'visits',
  planOfTreatment: 'care_plans',
  goals: 'care_plans',
  healthConcerns: 'problems',
  careTeams: 'care_plans',
  medicalEquipment: 'procedures',
  functionalStatus: 'social_history',
  payers: 'coverage',
  notes: 'notes',
} as const satisfies Record<CcdaSectionKey, DataClass>

/** Codes of a label that make a resource specially protected: restricted and very restricted. */
export const protectedLabels = { system: confidentialitySystem, codes: ['R', 'V'] } as const

/** The class of observations of a category. */
export function classOfObservations(category: string): DataClass | undefined {
  const parts = typeCoverage.Observation ?? []
  const named = parts.find(({ categories }) => categories?.includes(category))
  return (named ?? parts.find(({ categories }) => categories === undefined))?.dataClass
}

/** A resource may be of several classes, and a key needs each of them. Without one, it is open to every key. */
export function classesOf(resource: Readonly<{ resourceType: string }>): readonly DataClass[] {
  const { meta, category } = resource as {
    meta?: { security?: readonly { system?: string; code?: string }[] }
    category?: unknown
  }
  const parts = typeCoverage[resource.resourceType as FhirType]
  if (parts === undefined) return []
  const isProtected = meta?.security?.some(
    ({ system, code }) => system === protectedLabels.system && isIn(protectedLabels.codes, code),
  )
  const codes = codesIn(category)
  const named = parts.filter(({ categories = [] }) => categories.some((each) => codes.includes(each)))
  const found = named.length > 0 ? named : parts.filter(({ categories }) => categories === undefined)
  return [
    ...found.map(({ dataClass }) => dataClass),
    ...(isProtected ? ['specially_protected' as const] : []),
  ]
}

function codesIn(category: unknown): readonly string[] {
  const concepts = (Array.isArray(category) ? category : []) as { coding?: { code?: string }[] }[]
  // Searches compare codes without letter case, and so does this.
  return concepts.flatMap(({ coding = [] }) => coding.flatMap(({ code }) => code?.toLowerCase() ?? []))
}

const isIn = (codes: readonly string[], code: string | undefined): boolean =>
  code !== undefined && codes.includes(code)

/** In words, what a type's resources are classed as; `a or b` where their category decides. Null for no class. */
export function typeClasses(type: string): string | null {
  if (type === 'Patient') return 'demographics and identifiers'
  const parts = Object.hasOwn(typeCoverage, type) ? typeCoverage[type as FhirType] : undefined
  return parts?.map(({ dataClass }) => dataClass.replaceAll('_', ' ')).join(' or ') ?? null
}
