/**
 * The standing sign-ins of every sandbox practice: who can sign in, and what each of them is for. They last through
 * reset, snapshot and restore. `seed/sandbox-sign-ins.test.ts` holds the table to the records that are seeded.
 */

interface ActsFor {
  patientId: string
  relationship: 'self' | 'parent'
  /** Who the person is in the chart of another person. */
  relatedPersonId?: string
}

interface PatientSignIn {
  /** In front of the @, the same in every sandbox. */
  localPart: string
  name: string
  realm: 'patient'
  purpose: string
  actsFor: readonly ActsFor[]
  /** Also a patient of another sandbox practice, under the same id. */
  severalPractices?: true
}

interface StaffSignIn {
  localPart: string
  name: string
  realm: 'practice'
  purpose: string
  role: 'admin' | 'clinician'
  practitionerId?: string
}

export type SandboxSignIn = Readonly<PatientSignIn | StaffSignIn>

const parent = (patientId: string, relatedPersonId: string): ActsFor => ({
  patientId,
  relationship: 'parent',
  relatedPersonId,
})

export const sandboxSignIns: readonly SandboxSignIn[] = [
  patient('wren.testwell', 'Wren Testwell', 'An everyday chart: lab trends, prescriptions, an allergy'),
  patient('marlo.testwell', 'Marlo Testwell', 'A parent of two, who chooses whose record an app may read', [
    parent('pt-juno-testwell', 'rp-juno-testwell-1'),
    parent('pt-pip-testwell', 'rp-pip-testwell-1'),
  ]),
  patient(
    'zoe.munoz',
    'Zoë Ángela Muñoz-Ejemplo',
    'The other parent of Pip, a child with two parents. Spanish is her first language',
    [parent('pt-pip-testwell', 'rp-pip-testwell-2')],
  ),
  patient('cal.notareal', 'Cal Notareal', 'A long chart, of several pages a search'),
  patient('nil.stubwell', 'Nil Stubwell', 'An empty chart'),
  patient('edda.nonesuch', 'Edda Nonesuch', 'Has died; her account is still open'),
  {
    ...patient('lee.fauxworth', 'Lee Fauxworth', 'A patient of two practices. Birth date without a day'),
    severalPractices: true,
  },
  patient('hanako.shiken', '花子 試験', 'Speaks Japanese and no English. A name in Japanese script'),
  patient('otis.samplewood', 'Otis Lee Samplewood Jr.', 'Every element of the US Core Patient profile'),
  patient('hester.placewright', 'Hester Placewright', 'Takes fifteen drugs for nine problems'),
  patient('quinn.draftworth', 'Quinn Draftworth', 'Notes labeled restricted and psychiatry'),
  patient('ash.mockley', 'Ash Mockley', 'Year of birth only. Sex and race are unknown'),
  patient('maximiliana.placeholder', 'Maximiliana Placeholder', 'A very long name in the chart'),
  patient('leigh.fauxworth', 'Leigh Fauxworth', 'A duplicate record, merged into Lee Fauxworth'),
  patient(
    'vera.everyfield',
    'Vera June Everyfield CNA',
    'For conformance tests: every element and search of US Core',
  ),
  clinician('ines.placeholder', 'Dr. Ines Placeholder', 'Family physician', 'pr-ines-placeholder'),
  clinician('nell.testerby', 'Nell Testerby', 'Family nurse practitioner', 'pr-nell-testerby'),
  clinician('rafi.draftworth', 'Rafi Draftworth', 'Registered nurse', 'pr-rafi-draftworth'),
  {
    localPart: 'theo.placeholder',
    name: 'Theo Placeholder',
    realm: 'practice',
    purpose: 'Practice admin: opens the practice console',
    role: 'admin',
  },
]

function patient(
  localPart: string,
  name: string,
  purpose: string,
  children: readonly ActsFor[] = [],
): Readonly<PatientSignIn> {
  const self = { patientId: `pt-${localPart.replace('.', '-')}`, relationship: 'self' } as const
  return { localPart, name, realm: 'patient', purpose, actsFor: [self, ...children] }
}

function clinician(localPart: string, name: string, purpose: string, practitionerId: string): SandboxSignIn {
  return { localPart, name, realm: 'practice', purpose, role: 'clinician', practitionerId }
}

/** The sign-in's address at a sandbox practice. */
export const signInAddress = (localPart: string, practiceSlug: string): string =>
  `${localPart}@${practiceSlug}.people.example`

/** Whether an address belongs to the standing people of some sandbox. No one reads mail there. */
export const isSandboxAddress = (email: string): boolean => /@[a-z0-9-]+\.people\.example$/i.test(email)
