/** Codes of HL7's own code systems and the few SNOMED CT, LOINC and NUCC codes that the US Core package itself uses. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { loinc, snomed } from './systems.ts'

const hl7 = (name: string) => `http://terminology.hl7.org/CodeSystem/${name}`
const usCore = (name: string) => `http://hl7.org/fhir/us/core/CodeSystem/${name}`
const within = (system: string) => (code: string, display: string) => ({ system, code, display }) as const satisfies Coding

const observationCategory = within(hl7('observation-category'))
const usCoreCategory = within(usCore('us-core-category'))
const actCode = within(hl7('v3-ActCode'))
const conditionCategory = within(hl7('condition-category'))
const clinicalStatus = within(hl7('condition-clinical'))
const nullFlavor = within(hl7('v3-NullFlavor'))
const interpretation = within(hl7('v3-ObservationInterpretation'))
const role = within(hl7('v3-RoleCode'))

export const observationCategories = {
  vitalSigns: observationCategory('vital-signs', 'Vital Signs'),
  laboratory: observationCategory('laboratory', 'Laboratory'),
  socialHistory: observationCategory('social-history', 'Social History'),
  survey: observationCategory('survey', 'Survey'),
  exam: observationCategory('exam', 'Exam'),
  imaging: observationCategory('imaging', 'Imaging'),
  procedure: observationCategory('procedure', 'Procedure'),
} as const

export const screeningCategories = { sdoh: usCoreCategory('sdoh', 'SDOH'), functional: usCoreCategory('functional-status', 'Functional Status'), disability: usCoreCategory('disability-status', 'Disability Status'), cognitive: usCoreCategory('cognitive-status', 'Cognitive Status') } as const

export const conditionCategories = { problem: conditionCategory('problem-list-item', 'Problem List Item'), diagnosis: conditionCategory('encounter-diagnosis', 'Encounter Diagnosis'), concern: within(usCore('condition-category'))('health-concern', 'Health Concern') } as const

export const conditionStatuses = { active: clinicalStatus('active', 'Active'), resolved: clinicalStatus('resolved', 'Resolved') } as const

const verification = within(hl7('condition-ver-status'))
export const conditionVerifications = { confirmed: verification('confirmed', 'Confirmed'), provisional: verification('provisional', 'Provisional'), mistaken: verification('entered-in-error', 'Entered in Error') } as const

export const allergyStatuses = { active: within(hl7('allergyintolerance-clinical'))('active', 'Active'), resolved: within(hl7('allergyintolerance-clinical'))('resolved', 'Resolved') } as const
export const allergyVerifications = { confirmed: within(hl7('allergyintolerance-verification'))('confirmed', 'Confirmed'), unconfirmed: within(hl7('allergyintolerance-verification'))('unconfirmed', 'Unconfirmed') } as const

export const interpretations = { high: interpretation('H', 'High'), low: interpretation('L', 'Low'), normal: interpretation('N', 'Normal'), positive: interpretation('POS', 'Positive'), negative: interpretation('NEG', 'Negative') } as const

export const absentReasons = { unknown: within(hl7('data-absent-reason'))('unknown', 'Unknown'), notPerformed: within(hl7('data-absent-reason'))('not-performed', 'Not Performed'), declined: within(hl7('data-absent-reason'))('asked-declined', 'Asked But Declined') } as const

const unknowns = { unknown: nullFlavor('UNK', 'unknown'), asked: nullFlavor('ASKU', 'asked but unknown') } as const

export const encounterClasses = { ambulatory: actCode('AMB', 'ambulatory'), emergency: actCode('EMER', 'emergency'), inpatient: actCode('IMP', 'inpatient encounter'), virtual: actCode('VR', 'virtual') } as const

export const encounterTypes = {
  checkUp: snomed('185349003', 'Encounter for check up (procedure)'),
  symptom: snomed('185345009', 'Encounter for symptom (procedure)'),
  followUp: snomed('390906007', 'Follow-up encounter (procedure)'),
  prenatalFirst: snomed('424441002', 'Prenatal initial visit (regime/therapy)'),
  prenatal: snomed('424619006', 'Prenatal visit (regime/therapy)'),
  emergency: snomed('50849002', 'Emergency room admission (procedure)'),
  problem: snomed('185347001', 'Encounter for problem (procedure)'),
  admission: snomed('32485007', 'Hospital admission (procedure)'),
} as const

export const participantTypes = { primaryPerformer: within(hl7('v3-ParticipationType'))('PPRF', 'primary performer') } as const

export const dischargeDispositions = { home: within(hl7('discharge-disposition'))('home', 'Home') } as const

export const orderCategories = {
  laboratory: snomed('108252007', 'Laboratory procedure'),
  imaging: snomed('363679005', 'Imaging'),
  counselling: snomed('409063005', 'Counselling'),
  surgery: snomed('387713003', 'Surgical procedure'),
  evaluation: snomed('386053000', 'Evaluation procedure (procedure)'),
  sdoh: screeningCategories.sdoh,
} as const

export const reportCategories = { laboratory: within(hl7('v2-0074'))('LAB', 'Laboratory'), radiology: loinc('LP29684-5', 'Radiology'), cardiology: loinc('LP29708-2', 'Cardiology'), pathology: loinc('LP7839-6', 'Pathology') } as const

export const noteTypes = {
  consult: loinc('11488-4', 'Consult note'),
  discharge: loinc('18842-5', 'Discharge Summary'),
  historyAndPhysical: loinc('34117-2', 'History and physical note'),
  progress: loinc('11506-3', 'Progress note'),
  procedure: loinc('28570-0', 'Procedure note'),
  laboratory: loinc('11502-2', 'Laboratory report'),
  pathology: loinc('11526-1', 'Pathology study'),
  imaging: loinc('18748-4', 'Diagnostic imaging study'),
  summary: loinc('34133-9', 'Summary of episode note'),
} as const

export const documentCategories = { clinicalNote: within(usCore('us-core-documentreference-category'))('clinical-note', 'Clinical Note') } as const

const formatCode = within('http://ihe.net/fhir/ihe.formatcode.fhir/CodeSystem/formatcode')
export const documentFormats = { mime: formatCode('urn:ihe:iti:xds:2017:mimeTypeSufficient', 'mimeType Sufficient'), ccda: formatCode('urn:hl7-org:sdwg:ccda-structuredBody:2.1', 'For documents following C-CDA 2.1 constraints using a structured body.') } as const

/** Results of examinations, as the US Core package codes them. */
export const clinicalResults = {
  ecgImpression: loinc('8601-7', 'EKG impression'),
  ecgPanel: loinc('45033-8', 'Cardiovascular physiologic and EKG assessment panel'),
  prInterval: loinc('44976-9', 'P-R interval {EKG lead}'),
  qtInterval: loinc('44975-1', 'Q-T interval {EKG lead}'),
  qrsDuration: loinc('44973-6', 'QRS dur {EKG lead}'),
  radiologyFinding: loinc('18782-3', 'Radiology Study observation (narrative)'),
  jugularDistension: loinc('69428-1', 'Jugular vein distension'),
  absent: loinc('LA9634-2', 'Absent'),
  dxaPanel: loinc('83311-1', 'Bone density quantitative measurement by DXA panel'),
  hipTScore: loinc('80946-7', 'DXA Hip-L T-score BMD'),
  chestXray: loinc('30746-2', 'Portable XR Chest Views'),
} as const

export const smokingStatuses = { daily: snomed('449868002', 'Smokes tobacco daily'), occasional: snomed('428041000124106', 'Occasional tobacco smoker'), former: snomed('8517006', 'Ex-smoker'), never: snomed('266919005', 'Never smoked tobacco') } as const

export const sexualOrientations = { heterosexual: snomed('20430005', 'Heterosexual'), homosexual: snomed('38628009', 'Homosexual'), bisexual: snomed('42035005', 'Bisexual'), asked: unknowns.asked } as const

export const pregnancyFindings = { pregnant: snomed('77386006', 'Pregnant'), unknown: unknowns.unknown, notSureOfIntent: snomed('454381000124105', 'Not sure of desire to become pregnant (finding)') } as const

const workCode = within(hl7('PHOccupationalDataForHealthODH'))
export const occupations = { nursingAssistant: workCode('31-1014.00.007136', 'Certified Nursing Assistant (CNA) [Nursing Assistants]') } as const
export const industries = { homeNursing: workCode('621610.008495', 'Home nursing services') } as const

export const sdohFindings = { transportTooExpensive: snomed('160695008', 'Transport too expensive') } as const

export const careTeamRoles = { primaryCare: snomed('453231000124104', 'Primary care provider'), cardiologist: snomed('17561000', 'Cardiologist'), patient: snomed('116154003', 'Patient (person)'), caregiver: snomed('133932002', 'Caregiver (person)') } as const

export const deviceTypes = { femoralStem: snomed('468063009', 'Coated femoral stem prosthesis, modular'), knee: snomed('109228008', 'Knee joint prosthesis'), defibrillator: snomed('19257004', 'Defibrillator, device') } as const

export const relationships = { mother: role('MTH', 'mother'), father: role('FTH', 'father'), spouse: role('SPS', 'spouse'), child: role('CHILD', 'child'), guardian: role('GUARD', 'guardian') } as const

export const coverageCodes = {
  member: within(hl7('v2-0203'))('MB', 'Member Number'),
  employer: actCode('EHCPOL', 'employee healthcare'),
  public: actCode('PUBLICPOL', 'public healthcare'),
  self: within(hl7('subscriber-relationship'))('self', 'Self'),
  child: within(hl7('subscriber-relationship'))('child', 'Child'),
  group: within(hl7('coverage-class'))('group', 'Group'),
  plan: within(hl7('coverage-class'))('plan', 'Plan'),
} as const

export const carePlanCategories = { assessPlan: within(usCore('careplan-category'))('assess-plan', 'Assessment and Plan of Treatment') } as const

export const medicationCategories = { outpatient: within(hl7('medicationrequest-category'))('outpatient', 'Outpatient'), community: within(hl7('medicationrequest-category'))('community', 'Community') } as const

export const dispenseTypes = { firstFill: actCode('FFC', 'First Fill - Complete'), refill: actCode('RFC', 'Refill - Complete') } as const

export const immunizationReasons = { objection: within(hl7('v3-ActReason'))('PATOBJ', 'patient objection') } as const

export const provenanceRoles = { author: within(hl7('provenance-participant-type'))('author', 'Author'), transmitter: within(usCore('us-core-provenance-participant-type'))('transmitter', 'Transmitter') } as const

export const organizationKinds = { provider: within(hl7('organization-type'))('prov', 'Healthcare Provider'), payer: within(hl7('organization-type'))('pay', 'Payer') } as const

const taxonomy = within('http://nucc.org/provider-taxonomy')
/** What a clinician of the practice does; the set is small because the whole taxonomy is under licence. */
export const specialties = {
  familyMedicine: taxonomy('207Q00000X', 'Family Medicine Physician'),
  internalMedicine: taxonomy('207R00000X', 'Internal Medicine Physician'),
  pediatrics: taxonomy('208000000X', 'Pediatrics Physician'),
  obstetrics: taxonomy('207V00000X', 'Obstetrics & Gynecology Physician'),
  cardiology: taxonomy('207RC0000X', 'Cardiovascular Disease Physician'),
  psychiatry: taxonomy('2084P0800X', 'Psychiatry Physician'),
  familyNursing: taxonomy('363LF0000X', 'Family Nurse Practitioner'),
  nursing: taxonomy('163W00000X', 'Registered Nurse'),
} as const

export type Specialty = keyof typeof specialties

export const endpointCodes = { fhirRest: within(hl7('endpoint-connection-type'))('hl7-fhir-rest', 'HL7 FHIR'), anyPayload: within(hl7('endpoint-payload-type'))('any', 'Any') } as const

/** Labels for what people most want kept quiet: https://terminology.hl7.org/CodeSystem-v3-Confidentiality.html */
export const sensitivityLabels = { restricted: within(hl7('v3-Confidentiality'))('R', 'restricted'), psychiatry: actCode('PSY', 'psychiatry disorder information sensitivity') } as const

/** Systems of identifiers and addresses that the builders write. */
export const namingSystems = {
  encounter: 'https://sandpiper.example/identifier/encounter',
  document: 'https://sandpiper.example/identifier/document',
  answers: 'https://sandpiper.example/identifier/questionnaire-response',
  member: 'https://sandpiper.example/identifier/member',
  ucum: 'http://unitsofmeasure.org',
} as const

export const questionnaires = { phq9: 'http://hl7.org/fhir/us/core/Questionnaire/phq-9-example', hunger: 'http://hl7.org/fhir/us/core/Questionnaire/hunger-vital-sign-example', prapare: 'http://hl7.org/fhir/us/core/Questionnaire/prapare-example' } as const
