/**
 * Values of FHIR and what stands for them in a C-CDA document: code systems by their OIDs, and the small value sets
 * in which the two differ. https://terminology.hl7.org/ and https://hl7.org/fhir/R4/terminologies-systems.html
 */

export interface CodeSystem {
  readonly oid: string
  readonly name: string
}

export interface CdaCode {
  readonly code: string
  readonly display: string
}

export const loincSystem: CodeSystem = { oid: '2.16.840.1.113883.6.1', name: 'LOINC' }
export const snomedSystem: CodeSystem = { oid: '2.16.840.1.113883.6.96', name: 'SNOMED CT' }
export const actCodeSystem: CodeSystem = { oid: '2.16.840.1.113883.5.4', name: 'ActCode' }
export const raceSystem: CodeSystem = { oid: '2.16.840.1.113883.6.238', name: 'Race & Ethnicity - CDC' }
export const genderSystem: CodeSystem = { oid: '2.16.840.1.113883.5.1', name: 'AdministrativeGender' }
export const actReasonSystem: CodeSystem = { oid: '2.16.840.1.113883.5.8', name: 'ActReason' }
export const confidentialityCodes: CodeSystem = { oid: '2.16.840.1.113883.5.25', name: 'Confidentiality' }
export const observationValueSystem: CodeSystem = {
  oid: '2.16.840.1.113883.5.1063',
  name: 'ObservationValue',
}

const v3 = 'http://terminology.hl7.org/CodeSystem/v3-'
const v2 = 'http://terminology.hl7.org/CodeSystem/v2-'

/** By the system of FHIR. A code of any other has no OID, and stands as text alone. */
export const codeSystemOids: Readonly<Record<string, CodeSystem>> = {
  'http://loinc.org': loincSystem,
  'http://snomed.info/sct': snomedSystem,
  'http://www.nlm.nih.gov/research/umls/rxnorm': { oid: '2.16.840.1.113883.6.88', name: 'RxNorm' },
  'http://hl7.org/fhir/sid/icd-10-cm': { oid: '2.16.840.1.113883.6.90', name: 'ICD-10-CM' },
  'http://hl7.org/fhir/sid/icd-9-cm': { oid: '2.16.840.1.113883.6.103', name: 'ICD-9-CM' },
  'http://www.cms.gov/Medicare/Coding/ICD10': { oid: '2.16.840.1.113883.6.4', name: 'ICD-10-PCS' },
  'http://www.ama-assn.org/go/cpt': { oid: '2.16.840.1.113883.6.12', name: 'CPT-4' },
  'http://hl7.org/fhir/sid/cvx': { oid: '2.16.840.1.113883.12.292', name: 'CVX' },
  'http://hl7.org/fhir/sid/ndc': { oid: '2.16.840.1.113883.6.69', name: 'NDC' },
  'http://fdasis.nlm.nih.gov': { oid: '2.16.840.1.113883.4.9', name: 'UNII' },
  'http://nucc.org/provider-taxonomy': { oid: '2.16.840.1.113883.6.101', name: 'NUCC' },
  [`${v3}ActCode`]: actCodeSystem,
  [`${v3}ActReason`]: actReasonSystem,
  [`${v3}Confidentiality`]: confidentialityCodes,
  [`${v3}MaritalStatus`]: { oid: '2.16.840.1.113883.5.2', name: 'MaritalStatus' },
  [`${v3}ObservationInterpretation`]: { oid: '2.16.840.1.113883.5.83', name: 'ObservationInterpretation' },
  [`${v3}ParticipationType`]: { oid: '2.16.840.1.113883.5.90', name: 'ParticipationType' },
  [`${v3}RoleCode`]: { oid: '2.16.840.1.113883.5.111', name: 'RoleCode' },
  [`${v3}TribalEntityUS`]: { oid: '2.16.840.1.113883.5.140', name: 'TribalEntityUS' },
  [`${v2}0074`]: { oid: '2.16.840.1.113883.12.74', name: 'DiagnosticServiceSectionID' },
  [`${v2}0131`]: { oid: '2.16.840.1.113883.12.131', name: 'ContactRole' },
  'http://terminology.hl7.org/CodeSystem/PHOccupationalDataForHealthODH': {
    oid: '2.16.840.1.114222.4.5.327',
    name: 'Occupational Data for Health (ODH)',
  },
}

/** Its codes are null flavours. */
export const nullFlavorSystem = `${v3}NullFlavor`
export const ucumSystem = 'http://unitsofmeasure.org'
/** Of the FHIR profiles of the US. */
export const nationalProviderOid = '2.16.840.1.113883.4.6'

/** Of the document: what is most confidential in the chart, in rising order. */
export const confidentialityLevels: readonly CdaCode[] = [
  { code: 'N', display: 'normal' },
  { code: 'R', display: 'restricted' },
  { code: 'V', display: 'very restricted' },
]

/** Patient.gender; `unknown` is a null flavour. */
export const administrativeGenders: Readonly<Record<string, CdaCode>> = {
  male: { code: 'M', display: 'Male' },
  female: { code: 'F', display: 'Female' },
  other: { code: 'UN', display: 'Undifferentiated' },
}

/** The extension us-core-birthsex; anything else is unknown. */
export const birthSexes: Readonly<Record<string, CdaCode>> = {
  M: { code: 'M', display: 'Male' },
  F: { code: 'F', display: 'Female' },
}

/** ContactPoint.use; one that is old is left out. */
export const telecomUses: Readonly<Record<string, string>> = { home: 'HP', work: 'WP', mobile: 'MC' }
/** Address.use; an old one keeps its period. */
export const addressUses: Readonly<Record<string, string>> = { home: 'HP', work: 'WP', temp: 'TMP' }
/** HumanName.use */
export const nameUses: Readonly<Record<string, string>> = { official: 'L', usual: 'P', nickname: 'P' }

/** AllergyIntolerance.type and category, SNOMED CT. */
export const allergyTypes: Readonly<Record<string, CdaCode>> = {
  'allergy medication': { code: '416098002', display: 'Allergy to drug (finding)' },
  'allergy food': { code: '414285001', display: 'Allergy to food (finding)' },
  allergy: { code: '419199007', display: 'Allergy to substance (finding)' },
  'intolerance medication': { code: '59037007', display: 'Intolerance to drug (finding)' },
  'intolerance food': { code: '235719002', display: 'Intolerance to food (finding)' },
  medication: { code: '419511003', display: 'Propensity to adverse reactions to drug (finding)' },
  food: { code: '418471000', display: 'Propensity to adverse reactions to food (disorder)' },
  '': { code: '420134006', display: 'Propensity to adverse reaction (finding)' },
}

/** SNOMED CT codes that say that there is no allergy, and the type of allergy that there is none of. */
export const noAllergies: Readonly<Record<string, string>> = {
  '716186003': 'allergy',
  '409137002': 'allergy medication',
  '429625007': 'allergy food',
  '428607008': 'allergy',
}

/** AllergyIntolerance.criticality */
export const criticalities: Readonly<Record<string, CdaCode>> = {
  high: { code: 'CRITH', display: 'high criticality' },
  low: { code: 'CRITL', display: 'low criticality' },
  'unable-to-assess': { code: 'CRITU', display: 'unable to assess criticality' },
}

/** AllergyIntolerance.reaction.severity, SNOMED CT. */
export const severities: Readonly<Record<string, CdaCode>> = {
  mild: { code: '255604002', display: 'Mild (qualifier value)' },
  moderate: { code: '6736007', display: 'Moderate (severity modifier) (qualifier value)' },
  severe: { code: '24484000', display: 'Severe (severity modifier) (qualifier value)' },
}

/** AllergyIntolerance.clinicalStatus, SNOMED CT. */
export const allergyStatuses: Readonly<Record<string, CdaCode>> = {
  active: { code: '55561003', display: 'Active (qualifier value)' },
  inactive: { code: '73425007', display: 'Inactive (qualifier value)' },
  resolved: { code: '413322009', display: 'Problem resolved (finding)' },
}

/** Condition.clinicalStatus, SNOMED CT. */
export const problemStatuses: Readonly<Record<string, CdaCode>> = {
  active: { code: '55561003', display: 'Active (qualifier value)' },
  recurrence: { code: '246455001', display: 'Recurrence (qualifier value)' },
  relapse: { code: '263855007', display: 'Relapse phase (qualifier value)' },
  inactive: { code: '73425007', display: 'Inactive (qualifier value)' },
  remission: { code: '277022003', display: 'Remission phase (qualifier value)' },
  resolved: { code: '413322009', display: 'Problem resolved (finding)' },
}

/** Statuses that FHIR and the acts of CDA have different words for; the rest of FHIR's are `completed`. */
export const actStatuses: Readonly<Record<string, string>> = {
  active: 'active',
  'in-progress': 'active',
  registered: 'active',
  partial: 'active',
  preliminary: 'active',
  arrived: 'active',
  triaged: 'active',
  onleave: 'active',
  planned: 'active',
  proposed: 'active',
  draft: 'active',
  preparation: 'active',
  'on-hold': 'suspended',
  suspended: 'suspended',
  stopped: 'aborted',
  'not-done': 'cancelled',
  cancelled: 'cancelled',
  revoked: 'aborted',
  inactive: 'completed',
}

/** Medication Fill Status (2.16.840.1.113883.3.88.12.80.64), which has no code for a dispense that has not ended. */
export const fillStatuses: Readonly<Record<string, string>> = {
  completed: 'completed',
  cancelled: 'aborted',
  declined: 'aborted',
  stopped: 'aborted',
}

/** SNOMED CT codes of smoking that the template takes; any other status of smoking is unknown to it. */
export const smokingStatuses: Readonly<Record<string, string>> = {
  '266919005': 'Never smoked tobacco (finding)',
  '266927001': 'Tobacco smoking consumption unknown (finding)',
  '428041000124106': 'Occasional tobacco smoker (finding)',
  '428061000124105': 'Light tobacco smoker (finding)',
  '428071000124103': 'Heavy tobacco smoker (finding)',
  '449868002': 'Smokes tobacco daily (finding)',
  '77176002': 'Smoker (finding)',
  '8517006': 'Ex-smoker (finding)',
}

/** Reasons for which a vaccine was not given, of the ActReasons that the template takes. */
export const refusalReasons: Readonly<Record<string, string>> = {
  IMMUNE: 'immunity',
  MEDPREC: 'medical precaution',
  OSTOCK: 'product out of stock',
  PATOBJ: 'patient objection',
  PHILISOP: 'philosophical objection',
  RELIG: 'religious objection',
  VACEFF: 'vaccine efficacy concerns',
  VACSAF: 'vaccine safety concerns',
}
