/**
 * The input for each text parameter of an operation and each text argument of a tool. The schema tells numbers, choices,
 * switches and lists. Other texts go by their names, and a name without a row here gets a plain text field.
 */

/** The identifier by which a field names a person: the id or the medical record number. */
export type PersonField = 'patient' | 'mrn'

export type NamedInput =
  | { readonly kind: 'search' | 'text' | 'date' | 'moment' | 'code' | 'once' | 'cursor' }
  | { readonly kind: 'record'; readonly of: PersonField }

const person = (field: PersonField): NamedInput => ({ kind: 'record', of: field })

const byName: Readonly<Record<string, NamedInput>> = {
  q: { kind: 'search' },
  mrn: person('mrn'),
  patientId: person('patient'),
  dob: { kind: 'date' },
  birthDate: { kind: 'date' },
  from: { kind: 'date' },
  to: { kind: 'date' },
  start: { kind: 'moment' },
  authoredAt: { kind: 'moment' },
  code: { kind: 'code' },
  cursor: { kind: 'cursor' },
  idempotencyKey: { kind: 'once' },
  'Idempotency-Key': { kind: 'once' },
}

/** Inputs of names that mean something else at this place. */
const byPlace: Readonly<Record<string, NamedInput>> = {
  // A new number, not an existing patient's.
  'create_patient mrn': { kind: 'text' },
}

/**
 * @param place an operation's path or a tool's name
 * @param name the parameter's name, or the path of a nested argument, `name.family`
 */
export function namedInput(place: string, name: string): NamedInput {
  const text: NamedInput = { kind: 'text' }
  const key = `${place} ${name}`
  if (Object.hasOwn(byPlace, key)) return byPlace[key] ?? text
  if (name === 'id') return /^\/patients\/\{id\}/.test(place) ? person('patient') : text
  return Object.hasOwn(byName, name) ? (byName[name] ?? text) : text
}

/** Placeholders of fields for which the contract has no example. */
export const placeholders: Readonly<Partial<Record<NamedInput['kind'], string>>> = {
  date: 'yyyy-mm-dd',
  moment: 'yyyy-mm-ddThh:mm:ss-05:00',
  code: '4548-4',
  cursor: 'nextCursor of the previous page',
  once: 'your own, a new one per record',
}
