/**
 * What is typed into each parameter of an operation and each argument of a tool. A schema tells numbers, choices,
 * switches and lists; of a text it does not tell what it is, so every one of them stands here by its name.
 */

/** Of what a text is the id or the number. */
export type RecordKind = 'patient' | 'practitioner' | 'location' | 'encounter' | 'document' | 'mrn'

export type NamedInput =
  | { readonly kind: 'search' | 'text' | 'date' | 'moment' | 'code' | 'once' | 'cursor' }
  | { readonly kind: 'record'; readonly of: RecordKind }

const record = (of: RecordKind): NamedInput => ({ kind: 'record', of })

const byName: Readonly<Record<string, NamedInput>> = {
  q: { kind: 'search' },
  mrn: record('mrn'),
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
  patientId: record('patient'),
  practitionerId: record('practitioner'),
  authorId: record('practitioner'),
  locationId: record('location'),
  encounterId: record('encounter'),
  documentId: record('document'),
  'name.family': { kind: 'text' },
  language: { kind: 'text' },
  reason: { kind: 'text' },
  title: { kind: 'text' },
  sha256: { kind: 'text' },
}

/** Where the name alone says too little: of an operation's path, and what a tool makes. */
const byPlace: Readonly<Record<string, NamedInput>> = {
  '/practitioners/{id} id': record('practitioner'),
  '/locations/{id}/providers id': record('location'),
  '/patients/{id} id': record('patient'),
  '/patients/{id}/ccda id': record('patient'),
  // A number that is new, not one of somebody's.
  'create_patient mrn': { kind: 'text' },
}

/**
 * @param place path of an operation, or name of a tool
 * @param name of the parameter; of an argument within others its whole path, `name.family`
 * @returns null for a text that nobody has said anything of
 */
export function namedInput(place: string, name: string): NamedInput | null {
  const key = `${place} ${name}`
  if (Object.hasOwn(byPlace, key)) return byPlace[key] ?? null
  return Object.hasOwn(byName, name) ? (byName[name] ?? null) : null
}

/** What a field shows while it is empty, where the contract has no example. */
export const placeholders: Readonly<Partial<Record<NamedInput['kind'], string>>> = {
  date: 'yyyy-mm-dd',
  moment: 'yyyy-mm-ddThh:mm:ss-05:00',
  code: '4548-4',
  cursor: 'nextCursor of the page before',
  once: 'yours, a new one per thing',
}
