/** US Core 6.1.0 profiles by the name the builders use. https://hl7.org/fhir/us/core/STU6.1/profiles-and-extensions.html */
const structure = (name: string) => `http://hl7.org/fhir/us/core/StructureDefinition/${name}`

export const profiles = {
  allergy: structure('us-core-allergyintolerance'),
  carePlan: structure('us-core-careplan'),
  careTeam: structure('us-core-careteam'),
  diagnosis: structure('us-core-condition-encounter-diagnosis'),
  problem: structure('us-core-condition-problems-health-concerns'),
  coverage: structure('us-core-coverage'),
  device: structure('us-core-implantable-device'),
  reportLab: structure('us-core-diagnosticreport-lab'),
  reportNote: structure('us-core-diagnosticreport-note'),
  document: structure('us-core-documentreference'),
  encounter: structure('us-core-encounter'),
  goal: structure('us-core-goal'),
  immunization: structure('us-core-immunization'),
  medication: structure('us-core-medication'),
  medicationDispense: structure('us-core-medicationdispense'),
  medicationRequest: structure('us-core-medicationrequest'),
  procedure: structure('us-core-procedure'),
  provenance: structure('us-core-provenance'),
  questionnaireResponse: structure('us-core-questionnaireresponse'),
  relatedPerson: structure('us-core-relatedperson'),
  serviceRequest: structure('us-core-servicerequest'),
  specimen: structure('us-core-specimen'),
} as const

export const observationProfiles = {
  lab: structure('us-core-observation-lab'),
  pregnancyStatus: structure('us-core-observation-pregnancystatus'),
  pregnancyIntent: structure('us-core-observation-pregnancyintent'),
  occupation: structure('us-core-observation-occupation'),
  respiratoryRate: structure('us-core-respiratory-rate'),
  simple: structure('us-core-simple-observation'),
  heartRate: structure('us-core-heart-rate'),
  temperature: structure('us-core-body-temperature'),
  weightForLength: structure('pediatric-weight-for-height'),
  oxygenSaturation: structure('us-core-pulse-oximetry'),
  smoking: structure('us-core-smokingstatus'),
  sexualOrientation: structure('us-core-observation-sexual-orientation'),
  headCircumference: structure('us-core-head-circumference'),
  height: structure('us-core-body-height'),
  bmi: structure('us-core-bmi'),
  screening: structure('us-core-observation-screening-assessment'),
  bloodPressure: structure('us-core-blood-pressure'),
  clinicalResult: structure('us-core-observation-clinical-result'),
  bmiPercentile: structure('pediatric-bmi-for-age'),
  headPercentile: structure('head-occipital-frontal-circumference-percentile'),
  weight: structure('us-core-body-weight'),
} as const

export type ObservationProfile = keyof typeof observationProfiles
