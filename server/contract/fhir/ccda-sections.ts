/**
 * The sections of a Continuity of Care Document in the order in which they stand, with their templates.
 * C-CDA R2.1, https://www.hl7.org/implement/standards/product_brief.cfm?product_id=492
 */

interface CcdaSectionRow {
  readonly title: string
  /** Below `ccdaRoot`. */
  readonly root: string
  readonly extension: string | null
  /** LOINC, with its display. */
  readonly code: string
  readonly display: string
  /** A CCD without it is none. */
  readonly required: boolean
}

/** Root of the templates of C-CDA; most of them lie below it. */
export const ccdaRoot = '2.16.840.1.113883.10.20.22'

const row = (
  title: string,
  root: string,
  extension: string | null,
  code: string,
  display: string,
  required = false,
): CcdaSectionRow => ({ title, root, extension, code, display, required })

export const ccdaSections = {
  allergies: row(
    'Allergies and intolerances',
    '2.6.1',
    '2015-08-01',
    '48765-2',
    'Allergies and adverse reactions',
    true,
  ),
  medications: row('Medications', '2.1.1', '2014-06-09', '10160-0', 'History of medication use', true),
  problems: row('Problems', '2.5.1', '2015-08-01', '11450-4', 'Problem list', true),
  results: row(
    'Results',
    '2.3.1',
    '2015-08-01',
    '30954-2',
    'Relevant diagnostic tests and/or laboratory data',
    true,
  ),
  socialHistory: row('Social history', '2.17', '2015-08-01', '29762-2', 'Social history', true),
  vitalSigns: row('Vital signs', '2.4.1', '2015-08-01', '8716-3', 'Vital signs', true),
  procedures: row('Procedures', '2.7.1', '2014-06-09', '47519-4', 'History of procedures'),
  immunizations: row('Immunizations', '2.2.1', '2015-08-01', '11369-6', 'History of immunization'),
  encounters: row('Encounters', '2.22.1', '2015-08-01', '46240-8', 'Encounters'),
  planOfTreatment: row('Plan of treatment', '2.10', '2014-06-09', '18776-5', 'Plan of treatment'),
  goals: row('Goals', '2.60', null, '61146-7', 'Goals'),
  healthConcerns: row('Health concerns', '2.58', '2015-08-01', '75310-3', 'Health concerns document'),
  careTeams: row('Care teams', '2.500', '2022-06-01', '85847-2', 'Patient care team information'),
  medicalEquipment: row(
    'Medical equipment',
    '2.23',
    '2014-06-09',
    '46264-8',
    'History of medical device use',
  ),
  functionalStatus: row('Functional status', '2.14', '2014-06-09', '47420-5', 'Functional status'),
  payers: row('Payers', '2.18', '2015-08-01', '48768-6', 'Payers'),
  notes: row('Notes', '2.65', '2016-11-01', '34109-9', 'Note'),
} as const satisfies Record<string, CcdaSectionRow>

export type CcdaSectionKey = keyof typeof ccdaSections

/** What the document is: LOINC, and the display it carries. */
export const ccdCode = { code: '34133-9', display: 'Summarization of Episode Note' } as const
