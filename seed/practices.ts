/** The practices of a fresh database, as a table. Every name is made up. */

export type PracticePurpose = 'template' | 'demonstration' | 'office' | 'canary'

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
const all = Number.POSITIVE_INFINITY

export const practices: readonly PracticeRow[] = [
  // slug, name, environment, FHIR enabled, in the directory, state, purpose, cast, ages, at most, town
  row(
    'sandbox-template',
    'Sandpiper Sandbox Practice',
    'sandbox',
    true,
    false,
    'active',
    'template',
    true,
    [0, 92],
    all,
    harbor,
  ),
  row(
    'sandpiper-demonstration',
    'Sandpiper Demonstration Practice',
    'sandbox',
    true,
    true,
    'active',
    'demonstration',
    true,
    [0, 92],
    all,
    harbor,
  ),
  row(
    'harbor-family',
    'Harborlight Family Medicine',
    'production',
    true,
    true,
    'active',
    'office',
    false,
    [0, 92],
    all,
    harbor,
  ),
  row(
    'juniper-point',
    'Juniper Point Pediatrics',
    'production',
    true,
    true,
    'active',
    'office',
    false,
    [0, 18],
    all,
    point,
  ),
  row(
    'cedar-hollow',
    'Cedar Hollow Family Medicine',
    'production',
    false,
    true,
    'active',
    'office',
    false,
    [0, 92],
    all,
    valley,
  ),
  row(
    'old-quay',
    'Old Quay Medical',
    'production',
    true,
    true,
    'suspended',
    'office',
    false,
    [18, 92],
    all,
    harbor,
  ),
  row('canary', 'Canary Practice', 'production', true, false, 'active', 'canary', false, [0, 92], 3, valley),
]

function row(
  slug: string,
  name: string,
  environment: PracticeRow['environment'],
  fhirEnabled: boolean,
  inDirectory: boolean,
  state: PracticeRow['state'],
  purpose: PracticePurpose,
  cast: boolean,
  ages: PracticeRow['ages'],
  patientsMax: number,
  town: Town,
): PracticeRow {
  return { slug, name, environment, fhirEnabled, inDirectory, state, purpose, cast, ages, patientsMax, town }
}

/** @throws naming the practices there are. */
export function getPractice(slug: string): PracticeRow {
  const found = practices.find((practice) => practice.slug === slug)
  if (found) return found
  throw new Error(
    `There is no practice “${slug}”. There are: ${practices.map((each) => each.slug).join(', ')}`,
  )
}
