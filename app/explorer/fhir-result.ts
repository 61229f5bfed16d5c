/** An answer of FHIR as rows that a person can read; everything in it is data and shown as text. */

export interface ResultRow {
  /** `Type/id`. */
  readonly reference: string
  readonly mode: 'match' | 'include' | 'outcome'
  readonly title: string
  /** As it is recorded; null where the type has none. */
  readonly date: string | null
  readonly status: string | null
  readonly references: readonly { readonly to: string; readonly label: string }[]
}

export interface FhirResult {
  readonly total: number | null
  readonly rows: readonly ResultRow[]
  readonly next: string | null
  /** Of an OperationOutcome, alone or among the entries. */
  readonly issues: readonly string[]
}

type Json = Readonly<Record<string, unknown>>

const referencesMax = 8

/** Null for what is no FHIR resource. */
export function readResult(body: unknown): FhirResult | null {
  const resource = asObject(body)
  if (typeof resource?.resourceType !== 'string') return null
  if (resource.resourceType === 'OperationOutcome')
    return { total: null, rows: [], next: null, issues: issuesOf(resource) }
  if (resource.resourceType !== 'Bundle')
    return { total: null, rows: [toRow(resource, 'match')], next: null, issues: [] }
  const entries = asList(resource.entry)
  const outcomes = entries.filter((entry) => asObject(entry.resource)?.resourceType === 'OperationOutcome')
  return {
    total: typeof resource.total === 'number' ? resource.total : null,
    rows: entries
      .filter((entry) => !outcomes.includes(entry))
      .flatMap((entry) => {
        const own = asObject(entry.resource)
        const mode = asObject(entry.search)?.mode === 'include' ? 'include' : 'match'
        return own ? [toRow(own, mode)] : []
      }),
    next: linkOf(resource, 'next'),
    issues: outcomes.flatMap((entry) => issuesOf(asObject(entry.resource) ?? {})),
  }
}

/** Newest first; what has no date is left out. */
export function timelineOf(rows: readonly ResultRow[]): readonly (ResultRow & { readonly date: string })[] {
  return rows
    .filter((row): row is ResultRow & { date: string } => row.date !== null && row.mode === 'match')
    .sort((one, other) => (one.date < other.date ? 1 : one.date > other.date ? -1 : 0))
}

function toRow(resource: Json, mode: ResultRow['mode']): ResultRow {
  const { resourceType, id } = resource
  return {
    reference: `${resourceType}/${id}`,
    mode,
    title: titleOf(resource) || `${resourceType}`,
    date: dateOf(resource),
    status: textOf(resource.status) ?? conceptOf(resource.clinicalStatus),
    references: referencesOf(resource).slice(0, referencesMax),
  }
}

/** Elements that say what a resource is about, the first that is there. */
const titleElements = [
  'code',
  'vaccineCode',
  'medicationCodeableConcept',
  'type',
  'category',
  'class',
  'description',
  'title',
  'activity',
] as const

function titleOf(resource: Json): string {
  const [name] = asList(resource.name)
  if (name) {
    const words = [...texts(name.given), textOf(name.family)].filter(Boolean).join(' ')
    return words || textOf(name.text) || ''
  }
  if (typeof resource.name === 'string') return resource.name
  for (const element of titleElements) {
    const said = conceptOf(resource[element])
    if (said) return said
  }
  return ''
}

const dateElements = [
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
  'birthDate',
] as const

function dateOf(resource: Json): string | null {
  for (const element of dateElements) {
    const value = resource[element]
    const said = textOf(value) ?? textOf(asObject(value)?.start)
    if (said) return said
  }
  return null
}

/** Of a CodeableConcept, a Coding, a text, or the first of a list of them. */
function conceptOf(element: unknown): string | null {
  const first = Array.isArray(element) ? element[0] : element
  if (typeof first === 'string') return first
  const concept = asObject(first)
  if (!concept) return null
  const [coding] = asList(concept.coding)
  return textOf(concept.text) ?? textOf(coding?.display) ?? textOf(concept.display) ?? textOf(coding?.code)
}

/** Relative references anywhere in the resource, each once, in the order they stand. */
function referencesOf(resource: Json): { to: string; label: string }[] {
  const found = new Map<string, string>()
  walk(resource, (element) => {
    const to = element.reference
    if (typeof to === 'string' && /^[A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/.test(to) && !found.has(to))
      found.set(to, textOf(element.display) ?? to)
  })
  return [...found].map(([to, label]) => ({ to, label }))
}

function walk(value: unknown, visit: (element: Json) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, visit)
  else if (typeof value === 'object' && value !== null) {
    visit(value as Json)
    for (const each of Object.values(value)) walk(each, visit)
  }
}

function issuesOf(outcome: Json): string[] {
  return asList(outcome.issue).map((issue) => {
    const said = textOf(issue.diagnostics) ?? conceptOf(issue.details)
    return [textOf(issue.code), said].filter(Boolean).join(': ')
  })
}

function linkOf(bundle: Json, relation: string): string | null {
  return textOf(asList(bundle.link).find((link) => link.relation === relation)?.url)
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function asList(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject).filter((each) => each !== null) : []
}

function asObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}
