/** Values of a chart's resources, wherever they lie. */

/** Everything under a name, at any depth. */
export function all(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => [
    ...(key === name ? [child] : []),
    ...all(child, name),
  ])
}

/** Values of these elements at any depth, in one walk. */
export function momentsIn(value: unknown, type: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    typeof child === 'string' ? (when.has(key) && !isPlan(type, key) ? [child] : []) : momentsIn(child, type),
  )
}

/** How long an order is good for, and when a goal is due, may lie ahead. */
const isPlan = (type: string, element: string) =>
  element === 'end' && ['MedicationRequest', 'ServiceRequest'].includes(type)

const when = new Set([
  'effectiveDateTime',
  'performedDateTime',
  'occurrenceDateTime',
  'onsetDateTime',
  'abatementDateTime',
  'recordedDate',
  'authoredOn',
  'whenHandedOver',
  'authored',
  'issued',
  'start',
  'date',
  'collectedDateTime',
  'end',
  'created',
  'creation',
  'recorded',
  'valueDateTime',
])
