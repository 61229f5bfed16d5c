/** The code systems of the tables beside this file, each as a maker of Codings. */
import type { Coding } from '../../server/contract/fhir/codes.ts'

const within = (system: string) => (code: string, display: string) => ({ system, code, display }) as const satisfies Coding

export const snomed = within('http://snomed.info/sct')
export const loinc = within('http://loinc.org')
export const rxnorm = within('http://www.nlm.nih.gov/research/umls/rxnorm')
export const icd10 = within('http://hl7.org/fhir/sid/icd-10-cm')
export const cvx = within('http://hl7.org/fhir/sid/cvx')
