/** Checks the data classes and purposes of a narrowed key, again after each reload of the key. */
import { type ApiKeyPrincipal, accessAt } from '../auth/principal.ts'
import { Problem } from '../contract/http/problems.ts'
import { patientFieldClass, patientQueryClass } from '../contract/keys/class-coverage.ts'
import {
  classRefusal,
  impliedPurpose,
  type KeyAccess,
  mayRead,
  missingClasses,
  purposeRefusal,
} from '../contract/keys/key-access.ts'
import { isPurpose, type Purpose, purposeDefault, purposes } from '../contract/rest/purposes.ts'
import type { PatientRecord } from '../contract/rest/records.ts'
import type { Call } from './call.ts'

/** @throws Problem `class_not_allowed` or `purpose_not_allowed`, whether or not a record exists */
export function checkAccess(
  { need, purpose }: Pick<Call, 'need' | 'purpose'>,
  principal: ApiKeyPrincipal,
  now: Date,
): void {
  const access = accessAt(principal, now)
  if (access === null) return
  checkNeed(access, need)
  if (!access.purposes.includes(purpose)) throw purposeProblem(access, purpose)
}

/** @throws Problem `class_not_allowed` */
export function checkNeed(access: KeyAccess | null, need: Call['need']): void {
  const missing = missingClasses(access, need)
  if (need === null || missing.length === 0) return
  const type = 'any' in need ? 'disjunction' : 'conjunction'
  throw new Problem('class_not_allowed', { message: classRefusal(missing, type) })
}

/**
 * The purpose that a request names, or that its key implies.
 * @throws Problem `validation` for one that does not exist, `purpose_not_allowed` for one that the key does not have
 */
export function choosePurpose(call: Call, now: Date): Purpose {
  const header = call.request.headers.get('x-purpose')
  const access = call.principal && accessAt(call.principal, now)
  if (header === null) {
    const implied = impliedPurpose(access)
    if (implied === null && access !== null) throw purposeProblem(access, null)
    return implied ?? purposeDefault
  }
  if (!isPurpose(header))
    throw new Problem('validation', {
      message: `X-Purpose must be one of ${Object.keys(purposes).join(', ')}.`,
      field: 'X-Purpose',
    })
  // The access record also has the purpose of a refused request.
  call.purpose = header
  if (access !== null && !access.purposes.includes(header)) throw purposeProblem(access, header)
  return header
}

const purposeProblem = (access: KeyAccess, purpose: Purpose | null): Problem =>
  new Problem('purpose_not_allowed', { message: purposeRefusal(access, purpose) })

/** @throws Problem `class_not_allowed` for a query by a field that the key may not read */
export function checkPatientQuery(access: KeyAccess | null, query: object): void {
  for (const [name, dataClass] of Object.entries(patientQueryClass))
    if (name in query && (query as Record<string, unknown>)[name] !== undefined)
      checkNeed(access, { all: [dataClass] })
}

/** Removes the fields that the key may not read. */
export function narrowPatient<Fields extends Partial<PatientRecord>>(
  access: KeyAccess | null,
  patient: Fields,
): Fields {
  if (access === null) return patient
  const fields = Object.entries(patient).filter(([name]) => {
    const dataClass = (
      patientFieldClass as Record<string, (typeof patientFieldClass)['mrn'] | 'demographics'>
    )[name]
    return dataClass === undefined || mayRead(access, dataClass)
  })
  return Object.fromEntries(fields) as Fields
}
