/** Addresses of the US Core 6.1.0 profiles and extensions the builders use. */
const structure = 'http://hl7.org/fhir/us/core/StructureDefinition/'

export const extensionUrls = {
  race: `${structure}us-core-race`,
  ethnicity: `${structure}us-core-ethnicity`,
  tribalAffiliation: `${structure}us-core-tribal-affiliation`,
  sex: `${structure}us-core-sex`,
  birthSex: `${structure}us-core-birthsex`,
  assertedDate: 'http://hl7.org/fhir/StructureDefinition/condition-assertedDate',
  questionnaireDisplay: 'http://hl7.org/fhir/StructureDefinition/display',
  questionnaireUri: `${structure}us-core-extension-questionnaire-uri`,
  absentReason: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
} as const
