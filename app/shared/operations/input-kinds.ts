/**
 * The input for each text parameter of an operation and each text argument of a tool. The schema tells numbers, choices,
 * switches and lists. The id in a path is that of the collection before it; other texts go by their names, and a
 * name without a row here gets a plain text field.
 */

/** Of what a text is the id or the number. */
export type RecordKind = (typeof collections)[keyof typeof collections] | 'mrn'

/** Collections of the REST paths whose records can be picked from a list. */
const collections = {
  patients: 'patient',
  practitioners: 'practitioner',
  locations: 'location',
  encounters: 'encounter',
  documents: 'document',
} as const

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
  authorId: record('practitioner'),
  ...Object.fromEntries(Object.values(collections).map((kind) => [`${kind}Id`, record(kind)])),
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
  if (name === 'id') return ofCollection(place) ?? text
  return Object.hasOwn(byName, name) ? (byName[name] ?? text) : text
}

function ofCollection(path: string): NamedInput | null {
  const [, collection = ''] = /([^/]+)\/\{id\}/.exec(path) ?? []
  return Object.hasOwn(collections, collection)
    ? record(collections[collection as keyof typeof collections])
    : null
}

/** What a field shows while it is empty, where the contract has no example. */
export const placeholders: Readonly<Partial<Record<NamedInput['kind'], string>>> = {
  date: 'yyyy-mm-dd',
  moment: 'yyyy-mm-ddThh:mm:ss-05:00',
  code: '4548-4',
  cursor: 'nextCursor of the previous page',
  once: 'your own, a new one per record',
}
