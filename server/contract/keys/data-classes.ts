/** Classes of health data that the request and the agreement of a production key name. */
export const dataClasses = {
  demographics: 'Names, addresses, contact details, birth dates, sex',
  identifiers: 'Medical record numbers and other identifiers',
  visits: 'Visits and appointments',
  problems: 'Problems and diagnoses',
  medications: 'Medications and prescriptions',
  allergies: 'Allergies and intolerances',
  immunizations: 'Immunizations',
  results: 'Laboratory and imaging results',
  vital_signs: 'Vital signs',
  social_history: 'Social history, surveys and functional status',
  procedures: 'Procedures',
  notes: 'Clinical notes',
  documents: 'Documents and summaries of care',
  care_plans: 'Care plans, goals and care teams',
  coverage: 'Coverage and billing',
  specially_protected: 'Data under stricter law, such as records of substance use treatment',
} as const

export type DataClass = keyof typeof dataClasses
export const dataClassNames = Object.keys(dataClasses) as [DataClass, ...DataClass[]]

export const isDataClass = (text: string): text is DataClass => Object.hasOwn(dataClasses, text)
