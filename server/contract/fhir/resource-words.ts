/** What a resource is about and when it was, in the few words by which people tell it from others of its kind. */

type Json = Readonly<Record<string, unknown>>

/** Elements that say what it is, the first that says anything. */
const whatElements = [
  'name',
  'code',
  'vaccineCode',
  'medicationCodeableConcept',
  'medicationReference',
  'type',
  'description',
  'category',
  'practitioner',
  'class',
  'title',
  'activity',
  'address',
] as const

const whenElements = [
  'effectiveDateTime',
  'effectivePeriod',
  'authoredOn',
  'occurrenceDateTime',
  'performedDateTime',
  'performedPeriod',
  'whenHandedOver',
  'onsetDateTime',
  'recordedDate',
  'recorded',
  'period',
  'date',
  'issued',
  'startDate',
  'authored',
] as const

/** Null where nothing says it. */
export const whatOf = (resource: Json): string | null => firstOf(resource, whatElements, wordsOf)

/** A date or dateTime as it is written there, of a Period its beginning; null where there is none. */
export const whenOf = (resource: Json): string | null =>
  firstOf(resource, whenElements, (element) => textOf(element) ?? textOf(asObject(element)?.start))

/** Of a text, a HumanName, a CodeableConcept, a Coding or a Reference; of a list its first. */
export function wordsOf(element: unknown): string | null {
  const first: unknown = Array.isArray(element) ? element[0] : element
  if (typeof first === 'string') return textOf(first)
  const said = asObject(first)
  if (said === null) return null
  const { text, display, coding, family, given, code } = said
  const name = [...(Array.isArray(given) ? given : []), family].filter((part) => textOf(part) !== null)
  if (name.length > 0) return name.join(' ')
  const inner = Array.isArray(coding) ? asObject(coding[0]) : null
  return textOf(text) ?? textOf(inner?.display) ?? textOf(display) ?? textOf(inner?.code) ?? textOf(code)
}

function firstOf(resource: Json, elements: readonly string[], read: (element: unknown) => string | null) {
  for (const element of elements) {
    const said = read(resource[element])
    if (said !== null) return said
  }
  return null
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
