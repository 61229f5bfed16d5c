/** The practices of a fresh database, as a table. Every name is made up. */

type PracticePurpose = 'template' | 'demonstration' | 'office' | 'canary'

export interface Town {
  readonly city: string
  readonly state: string
  readonly postalCode: string
  /** Telephone area code; numbers are always 555-01xx. */
  readonly areaCode: string
}

export interface PracticeRow {
  readonly slug: string
  readonly name: string
  readonly environment: 'sandbox' | 'production'
  readonly fhirEnabled: boolean
  readonly inDirectory: boolean
  readonly state: 'active' | 'suspended'
  readonly purpose: PracticePurpose
  /** The pinned people of `cast.ts` are among the patients. */
  readonly cast: boolean
  /** Ages of the people drawn beside the cast, in whole years. */
  readonly ages: readonly [min: number, max: number]
  /** Patients at most; the canary stays small. */
  readonly patientsMax: number
  readonly town: Town
}

const harbor: Town = { city: 'Samplehaven', state: 'ME', postalCode: '04999', areaCode: '207' }
const valley: Town = { city: 'Mockford', state: 'VT', postalCode: '05999', areaCode: '802' }
const point: Town = { city: 'Exampleton', state: 'NH', postalCode: '03899', areaCode: '603' }
const defaults = {
  environment: 'production',
  fhirEnabled: true,
  inDirectory: true,
  state: 'active',
  purpose: 'office',
  cast: false,
  ages: [0, 92],
  patientsMax: Number.POSITIVE_INFINITY,
  town: harbor,
} as const

export const practices: readonly PracticeRow[] = [
  {
    ...defaults,
    slug: 'sandbox-template',
    name: 'Sandpiper Sandbox Practice',
    environment: 'sandbox',
    inDirectory: false,
    purpose: 'template',
    cast: true,
  },
  {
    ...defaults,
    slug: 'sandpiper-demonstration',
    name: 'Sandpiper Demonstration Practice',
    environment: 'sandbox',
    purpose: 'demonstration',
    cast: true,
  },
  { ...defaults, slug: 'harbor-family', name: 'Harborlight Family Medicine' },
  { ...defaults, slug: 'juniper-point', name: 'Juniper Point Pediatrics', ages: [0, 18], town: point },
  {
    ...defaults,
    slug: 'cedar-hollow',
    name: 'Cedar Hollow Family Medicine',
    fhirEnabled: false,
    town: valley,
  },
  { ...defaults, slug: 'old-quay', name: 'Old Quay Medical', state: 'suspended', ages: [18, 92] },
  {
    ...defaults,
    slug: 'canary',
    name: 'Canary Practice',
    inDirectory: false,
    purpose: 'canary',
    patientsMax: 3,
    town: valley,
  },
]

/** @throws Error that lists the practices */
export function getPractice(slug: string): PracticeRow {
  const found = practices.find((practice) => practice.slug === slug)
  if (found) return found
  throw new Error(
    `There is no practice “${slug}”. There are: ${practices.map((each) => each.slug).join(', ')}`,
  )
}
