/** Registry rows of what lies in a patient's chart, https://hl7.org/fhir/us/core/STU6.1/CapabilityStatement-us-core-server.html */
import { codeSystems } from './codes.ts'
import type { FhirType } from './numbers.ts'
import {
  comparators,
  everywhere,
  humanNameParts,
  profile,
  type RowsOf,
  refers,
  type SearchParameterRow,
} from './type-row.ts'

type ClinicalType = Exclude<
  FhirType,
  | 'Endpoint'
  | 'Group'
  | 'Location'
  | 'Medication'
  | 'Organization'
  | 'Patient'
  | 'Practitioner'
  | 'PractitionerRole'
>

function patient(path: string, expectation?: 'SHALL' | 'SHOULD'): SearchParameterRow {
  return { name: 'patient', kind: 'patient', paths: [path], ...(expectation ? { expectation } : {}) }
}

function status(system: string): SearchParameterRow {
  return { name: 'status', kind: 'token', paths: ['status'], system }
}

const category: SearchParameterRow = {
  name: 'category',
  kind: 'token',
  paths: ['category'],
  scopable: true,
}

const code: SearchParameterRow = { name: 'code', kind: 'token', paths: ['code'], selective: true }

const medication: SearchParameterRow = {
  name: 'medication',
  kind: 'reference',
  paths: ['medicationReference'],
  targets: ['Medication'],
  offered: false,
}

/** The date that orders the type's pages. */
function sortedBy(name: SearchParameterRow['name'], ...paths: readonly string[]): SearchParameterRow {
  return { name, kind: 'date', paths, comparators, sorts: true }
}

export const clinicalRows: RowsOf<ClinicalType> = {
  AllergyIntolerance: {
    profiles: [profile('us-core-allergyintolerance')],
    compartment: ['patient'],
    parameters: [
      ...everywhere(),
      patient('patient', 'SHALL'),
      { name: 'clinical-status', kind: 'token', paths: ['clinicalStatus'] },
      { ...sortedBy('date', 'recordedDate'), offered: false },
      refers('recorder', 'asserter'),
    ],
    combinations: { shall: [], should: ['patient+clinical-status'] },
  },
  CarePlan: {
    profiles: [profile('us-core-careplan')],
    compartment: ['subject'],
    parameters: [
      ...everywhere(),
      patient('subject'),
      category,
      status(codeSystems.requestStatus),
      sortedBy('date', 'period'),
      refers('author', 'contributor'),
    ],
    combinations: {
      shall: ['patient+category'],
      should: ['patient+category+status', 'patient+category+status+date', 'patient+category+date'],
    },
  },
  CareTeam: {
    profiles: [profile('us-core-careteam')],
    compartment: ['subject'],
    parameters: [
      ...everywhere(),
      patient('subject'),
      status(codeSystems.careTeamStatus),
      { name: 'role', kind: 'token', paths: ['participant.role'], expectation: 'SHOULD' },
      { name: 'participant', kind: 'reference', paths: ['participant.member'], offered: false },
      { ...sortedBy('date', 'period'), offered: false },
      refers('managingOrganization'),
    ],
    combinations: { shall: ['patient+status'], should: ['patient+role'] },
    includes: [
      'CareTeam:participant:PractitionerRole',
      'CareTeam:participant:Practitioner',
      'CareTeam:participant:Patient',
      'CareTeam:participant:RelatedPerson',
    ],
  },
  Condition: {
    profiles: [
      profile('us-core-condition-encounter-diagnosis'),
      profile('us-core-condition-problems-health-concerns'),
    ],
    compartment: ['subject'],
    parameters: [
      ...everywhere(),
      patient('subject', 'SHALL'),
      category,
      { name: 'clinical-status', kind: 'token', paths: ['clinicalStatus'] },
      code,
      { name: 'onset-date', kind: 'date', paths: ['onsetDateTime', 'onsetPeriod'], comparators },
      {
        name: 'asserted-date',
        kind: 'date',
        paths: ['extension[http://hl7.org/fhir/StructureDefinition/condition-assertedDate].valueDateTime'],
        comparators,
      },
      sortedBy('recorded-date', 'recordedDate'),
      { name: 'abatement-date', kind: 'date', paths: ['abatementDateTime', 'abatementPeriod'], comparators },
      { name: 'encounter', kind: 'reference', paths: ['encounter'], targets: ['Encounter'] },
      refers('recorder', 'asserter'),
    ],
    combinations: {
      shall: ['patient+category'],
      should: [
        'patient+recorded-date',
        'patient+asserted-date',
        'patient+category+clinical-status',
        'patient+onset-date',
        'patient+abatement-date',
        'patient+clinical-status',
        'patient+category+encounter',
        'patient+code',
      ],
    },
  },
  Coverage: {
    profiles: [profile('us-core-coverage')],
    compartment: ['beneficiary'],
    parameters: [...everywhere(), patient('beneficiary', 'SHALL'), refers('payor')],
  },
  Device: {
    profiles: [profile('us-core-implantable-device')],
    compartment: ['patient'],
    parameters: [
      ...everywhere(),
      patient('patient', 'SHALL'),
      { name: 'type', kind: 'token', paths: ['type'] },
      status(codeSystems.deviceStatus),
      refers('owner', 'location'),
    ],
    combinations: { shall: [], should: ['patient+type', 'patient+status'] },
  },
  DiagnosticReport: {
    profiles: [profile('us-core-diagnosticreport-note'), profile('us-core-diagnosticreport-lab')],
    compartment: ['subject'],
    parameters: [
      ...everywhere(),
      patient('subject', 'SHALL'),
      status(codeSystems.diagnosticReportStatus),
      category,
      code,
      sortedBy('date', 'effectiveDateTime', 'effectivePeriod'),
      refers('performer', 'resultsInterpreter'),
    ],
    combinations: {
      shall: ['patient+category', 'patient+category+date', 'patient+code'],
      should: ['patient+code+date', 'patient+status'],
    },
    holdsBase: true,
  },
  DocumentReference: {
    profiles: [profile('us-core-documentreference')],
    compartment: ['subject'],
    parameters: [
      ...everywhere('SHALL'),
      patient('subject', 'SHALL'),
      status(codeSystems.documentReferenceStatus),
      { name: 'type', kind: 'token', paths: ['type'] },
      category,
      sortedBy('date', 'date'),
      { name: 'period', kind: 'date', paths: ['context.period'], comparators },
      refers('author', 'authenticator', 'custodian'),
    ],
    combinations: {
      shall: ['patient+type', 'patient+category+date', 'patient+category'],
      should: ['patient+status', 'patient+type+period'],
    },
    madeOnDemand: true,
    holdsBase: true,
  },
  Encounter: {
    profiles: [profile('us-core-encounter')],
    compartment: ['subject'],
    parameters: [
      ...everywhere('SHALL'),
      patient('subject', 'SHALL'),
      { name: 'identifier', kind: 'identifier', paths: ['identifier'], expectation: 'SHOULD' },
      { name: 'class', kind: 'token', paths: ['class'] },
      { name: 'type', kind: 'token', paths: ['type'] },
      status(codeSystems.encounterStatus),
      sortedBy('date', 'period'),
      { name: 'location', kind: 'reference', paths: ['location.location'], targets: ['Location'] },
      { name: 'discharge-disposition', kind: 'token', paths: ['hospitalization.dischargeDisposition'] },
      refers('participant.individual', 'serviceProvider'),
    ],
    combinations: {
      shall: ['date+patient'],
      should: [
        'patient+type',
        'class+patient',
        'patient+status',
        'patient+location',
        'patient+discharge-disposition',
      ],
    },
  },
  Goal: {
    profiles: [profile('us-core-goal')],
    compartment: ['subject'],
    parameters: [
      ...everywhere(),
      patient('subject', 'SHALL'),
      { name: 'lifecycle-status', kind: 'token', paths: ['lifecycleStatus'], system: codeSystems.goalStatus },
      { name: 'target-date', kind: 'date', paths: ['target.dueDate'], comparators },
      { name: 'description', kind: 'token', paths: ['description'] },
      { ...sortedBy('start-date', 'startDate'), offered: false },
      refers('expressedBy'),
    ],
    combinations: {
      shall: [],
      should: ['patient+target-date', 'patient+description', 'patient+lifecycle-status'],
    },
  },
  Immunization: {
    profiles: [profile('us-core-immunization')],
    compartment: ['patient'],
    parameters: [
      ...everywhere(),
      patient('patient', 'SHALL'),
      status(codeSystems.eventStatus),
      sortedBy('date', 'occurrenceDateTime'),
      refers('performer.actor', 'location', 'manufacturer'),
    ],
    combinations: { shall: [], should: ['patient+date', 'patient+status'] },
  },
  MedicationDispense: {
    profiles: [profile('us-core-medicationdispense')],
    compartment: ['subject'],
    parameters: [
      ...everywhere(),
      patient('subject', 'SHALL'),
      status(codeSystems.medicationDispenseStatus),
      { name: 'type', kind: 'token', paths: ['type'] },
      medication,
      { ...sortedBy('whenhandedover', 'whenHandedOver'), offered: false },
      refers('performer.actor', 'location'),
    ],
    combinations: { shall: [], should: ['patient+status+type', 'patient+status'] },
    includes: ['MedicationDispense:medication'],
  },
  MedicationRequest: {
    profiles: [profile('us-core-medicationrequest')],
    compartment: ['subject'],
    parameters: [
      ...everywhere(),
      patient('subject'),
      status(codeSystems.medicationRequestStatus),
      { name: 'intent', kind: 'token', paths: ['intent'], system: codeSystems.medicationRequestIntent },
      { name: 'encounter', kind: 'reference', paths: ['encounter'], targets: ['Encounter'] },
      sortedBy('authoredon', 'authoredOn'),
      medication,
      refers('requester', 'recorder', 'performer', 'dispenseRequest.performer', 'reportedReference'),
    ],
    combinations: {
      shall: ['patient+intent+status', 'patient+intent'],
      should: ['patient+intent+encounter', 'patient+intent+authoredon'],
    },
    includes: ['MedicationRequest:medication'],
  },
  Observation: {
    profiles: [
      'us-core-observation-lab',
      'us-core-observation-pregnancystatus',
      'us-core-observation-pregnancyintent',
      'us-core-observation-occupation',
      'us-core-respiratory-rate',
      'us-core-simple-observation',
      'us-core-heart-rate',
      'us-core-body-temperature',
      'pediatric-weight-for-height',
      'us-core-pulse-oximetry',
      'us-core-smokingstatus',
      'us-core-observation-sexual-orientation',
      'us-core-head-circumference',
      'us-core-body-height',
      'us-core-bmi',
      'us-core-observation-screening-assessment',
      'us-core-blood-pressure',
      'us-core-observation-clinical-result',
      'pediatric-bmi-for-age',
      'head-occipital-frontal-circumference-percentile',
      'us-core-body-weight',
      'us-core-vital-signs',
    ].map(profile),
    compartment: ['subject'],
    parameters: [
      ...everywhere(),
      patient('subject'),
      status(codeSystems.observationStatus),
      category,
      code,
      sortedBy(
        'date',
        'effectiveDateTime',
        'effectivePeriod',
        'effectiveInstant',
        'effectiveTiming.event',
        'effectiveTiming.repeat.boundsPeriod',
      ),
      refers('performer'),
    ],
    combinations: {
      shall: ['patient+category', 'patient+category+date', 'patient+code'],
      should: ['patient+code+date', 'patient+category+status'],
    },
  },
  Procedure: {
    profiles: [profile('us-core-procedure')],
    compartment: ['subject'],
    parameters: [
      ...everywhere(),
      patient('subject', 'SHALL'),
      status(codeSystems.eventStatus),
      code,
      sortedBy('date', 'performedDateTime', 'performedPeriod'),
      refers('performer.actor', 'recorder', 'asserter', 'location'),
    ],
    combinations: { shall: ['patient+date'], should: ['patient+code+date', 'patient+status'] },
  },
  Provenance: {
    profiles: [profile('us-core-provenance')],
    compartment: ['target'],
    compartmentThrough: ['target'],
    parameters: [
      ...everywhere(),
      patient('target'),
      { name: 'target', kind: 'reference', paths: ['target'] },
      { ...sortedBy('recorded', 'recorded'), offered: false },
      refers('agent.who', 'agent.onBehalfOf'),
    ],
    revIncludes: [],
  },
  QuestionnaireResponse: {
    profiles: [profile('us-core-questionnaireresponse')],
    compartment: ['subject'],
    parameters: [
      ...everywhere('SHALL'),
      patient('subject', 'SHALL'),
      status(codeSystems.questionnaireResponseStatus),
      sortedBy('authored', 'authored'),
      { name: 'questionnaire', kind: 'canonical', paths: ['questionnaire'] },
      refers('author', 'source'),
    ],
    combinations: {
      shall: [],
      should: ['patient+questionnaire', 'patient+authored', 'patient+status'],
    },
  },
  RelatedPerson: {
    profiles: [profile('us-core-relatedperson')],
    compartment: ['patient'],
    parameters: [
      ...everywhere('SHALL'),
      patient('patient', 'SHOULD'),
      { name: 'name', kind: 'string', paths: humanNameParts, expectation: 'SHOULD' },
    ],
    combinations: { shall: [], should: ['patient+name'] },
  },
  ServiceRequest: {
    profiles: [profile('us-core-servicerequest')],
    compartment: ['subject'],
    parameters: [
      ...everywhere('SHALL'),
      patient('subject', 'SHALL'),
      status(codeSystems.requestStatus),
      category,
      code,
      sortedBy('authored', 'authoredOn'),
      refers('requester', 'performer', 'locationReference'),
    ],
    combinations: {
      shall: ['patient+category+authored', 'patient+category', 'patient+code'],
      should: ['patient+status', 'patient+code+authored'],
    },
  },
  Specimen: {
    profiles: [profile('us-core-specimen')],
    compartment: ['subject'],
    parameters: [
      ...everywhere('SHALL'),
      patient('subject', 'SHOULD'),
      {
        ...sortedBy('collected', 'collection.collectedDateTime', 'collection.collectedPeriod'),
        offered: false,
      },
      refers('collection.collector'),
    ],
  },
}
