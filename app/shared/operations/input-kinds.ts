/**
 * The input for each text parameter of an operation and each text argument of a tool. The schema tells numbers, choices,
 * switches and lists. Other texts go by their names, and a name without a row here gets a plain text field.
 */

/** By what a text names a person: the id or the medical record number. */
export type PersonField = 'patient' | 'mrn'

export type NamedInput =
  | { readonly kind: 'search' | 'text' | 'date' | 'moment' | 'code' | 'once' | 'cursor' }
  | { readonly kind: 'record'; readonly of: PersonField }

const person = (of: PersonField): NamedInput => ({ kind: 'record', of })

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

/** Where the name alone says too little. */
const byPlace: Readonly<Record<string, NamedInput>> = {
  // A new number, not an existing patient's.
  'create_patient mrn': { kind: 'text' },
}

/**
 * @param place path of an operation, or name of a tool
 * @param name of the parameter; of an argument within others its whole path, `name.family`
 */
export function namedInput(place: string, name: string): NamedInput {
  const text: NamedInput = { kind: 'text' }
  const key = `${place} ${name}`
  if (Object.hasOwn(byPlace, key)) return byPlace[key] ?? text
  if (name === 'id') return /^\/patients\/\{id\}/.test(place) ? person('patient') : text
  return Object.hasOwn(byName, name) ? (byName[name] ?? text) : text
}

/** What a field shows while it is empty, where the contract has no example. */
export const placeholders: Readonly<Partial<Record<NamedInput['kind'], string>>> = {
  date: 'yyyy-mm-dd',
  moment: 'yyyy-mm-ddThh:mm:ss-05:00',
  code: '4548-4',
  cursor: 'nextCursor of the previous page',
  once: 'your own, a new one per record',
}
