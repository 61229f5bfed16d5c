/** Classes of health data that a production key may be asked for, and that its agreement names. */
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
