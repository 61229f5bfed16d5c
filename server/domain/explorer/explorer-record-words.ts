/** A record in the few words by which people tell it from others of its kind: its date and what it is. */

type Json = Readonly<Record<string, unknown>>

/** Elements that say what a record is, the first that is there. */
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
  'startDate',
  'authored',
] as const

/** @param content of a stored resource, JSON */
export function recordWords(content: string): string {
  const resource = JSON.parse(content) as Json
  const what = firstOf(resource, whatElements, wordsOf)
  const when = firstOf(resource, whenElements, dayOf)
  return [when, what ?? String(resource.resourceType)].filter(Boolean).join(' ')
}

function firstOf(
  resource: Json,
  elements: readonly string[],
  read: (element: unknown) => string | null,
): string | null {
  for (const element of elements) {
    const said = read(resource[element])
    if (said !== null) return said
  }
  return null
}

/** Of a text, a HumanName, a CodeableConcept, a Coding or a Reference; of a list its first. */
function wordsOf(element: unknown): string | null {
  const [first] = [element].flat() as unknown[]
  if (typeof first === 'string') return first === '' ? null : first
  if (typeof first !== 'object' || first === null) return null
  const { text, display, coding, family, given, code } = first as Json
  const name = [...(Array.isArray(given) ? given : []), family].filter((part) => typeof part === 'string')
  if (name.length > 0) return name.join(' ')
  if (typeof text === 'string') return text
  if (typeof display === 'string') return display
  return Array.isArray(coding) && coding.length > 0
    ? wordsOf(coding[0])
    : typeof code === 'string'
      ? code
      : null
}

/** The day of a date, a dateTime or the beginning of a Period. */
function dayOf(element: unknown): string | null {
  if (typeof element === 'string') return element.slice(0, 10)
  const start = (element as Json | undefined)?.start
  return typeof start === 'string' ? start.slice(0, 10) : null
}
