/** Who works at a practice: a table of specialties by the ages it sees, and who looks after whom. */
import type { Specialty } from '../codes/codes.ts'
import type { PracticeRow } from '../practices.ts'

const forAllAges: readonly Specialty[] = [
  'familyMedicine',
  'internalMedicine',
  'pediatrics',
  'obstetrics',
  'cardiology',
  'psychiatry',
]
const forChildren: readonly Specialty[] = [
  'pediatrics',
  'pediatrics',
  'familyMedicine',
  'pediatrics',
  'psychiatry',
]

/** Specialty of each clinician drawn, in the order of their ids. */
export function staffOf({ ages }: PracticeRow): readonly Specialty[] {
  return ages[1] <= 18 ? forChildren : forAllAges
}

export function clinicianId(index: number): string {
  return `pr-${String(index + 1).padStart(2, '0')}`
}

/** Practitioner ids of those who may be the patient's own. @param age whole years */
export function primaryCareOf(practice: PracticeRow, age: number): readonly string[] {
  const wanted: readonly Specialty[] =
    age < 18 ? ['pediatrics', 'familyMedicine'] : ['familyMedicine', 'internalMedicine']
  return idsOf(practice, wanted)
}

/** The practice's first clinician of each specialty. */
export function specialistsOf(practice: PracticeRow): ReadonlyMap<Specialty, string> {
  const staff = staffOf(practice)
  return new Map(staff.map((specialty) => [specialty, clinicianId(staff.indexOf(specialty))]))
}

function idsOf(practice: PracticeRow, wanted: readonly Specialty[]): string[] {
  return staffOf(practice).flatMap((specialty, index) =>
    wanted.includes(specialty) ? [clinicianId(index)] : [],
  )
}
