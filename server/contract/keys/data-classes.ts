/**
 * What every page, email and text says beside classes of data or purposes of a key. It goes once the API limits a key
 * to them.
 */
export const notEnforced =
  'Recorded, not enforced: the API does not limit the key to these data classes and purposes. The key can reach every record of the practice that the REST API serves.'

/** Classes of health data that the request and the agreement of a production key name. */
export const dataClasses = {
  demographics: 'Names, addresses, birth dates, identifiers',
  visits: 'Visits and appointments',
  problems: 'Problems and diagnoses',
  medications: 'Medications and prescriptions',
  allergies: 'Allergies and intolerances',
  immunizations: 'Immunizations',
  results: 'Laboratory and imaging results',
  vital_signs: 'Vital signs',
  procedures: 'Procedures',
  notes: 'Clinical notes',
  documents: 'Documents and summaries of care',
  care_plans: 'Care plans, goals and care teams',
  coverage: 'Coverage and billing',
  specially_protected: 'Data under stricter law, such as records of substance use treatment',
} as const

export type DataClass = keyof typeof dataClasses
export const dataClassNames = Object.keys(dataClasses) as [DataClass, ...DataClass[]]

export function isDataClass(text: string): text is DataClass {
  return Object.hasOwn(dataClasses, text)
}
