/** A FHIR response as readable rows. Everything in it is data and is shown as text. */
import { whatOf, whenOf, wordsOf } from '../../../server/contract/fhir/resource-words.ts'

export type FhirResult = NonNullable<ReturnType<typeof readResult>>
export type ResultRow = ReturnType<typeof toRow>

type Json = Readonly<Record<string, unknown>>

const referencesMax = 8

/** Null if the body is no FHIR resource. */
export function readResult(body: unknown) {
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
        const entryResource = asObject(entry.resource)
        const mode = asObject(entry.search)?.mode === 'include' ? 'include' : 'match'
        return entryResource ? [toRow(entryResource, mode)] : []
      }),
    next: linkOf(resource, 'next'),
    issues: outcomes.flatMap((entry) => issuesOf(asObject(entry.resource) ?? {})),
  }
}

function toRow(resource: Json, mode: 'match' | 'include') {
  const { resourceType, id } = resource
  return {
    reference: `${resourceType}/${id}`,
    mode,
    title: whatOf(resource) ?? `${resourceType}`,
    date: whenOf(resource) ?? textOf(resource.birthDate),
    status: textOf(resource.status) ?? wordsOf(resource.clinicalStatus),
    references: referencesOf(resource).slice(0, referencesMax),
  }
}

/** The relative references in the resource, each once, in the order of the resource. */
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
  if (Array.isArray(value)) for (const item of value) walk(item, visit)
  else if (typeof value === 'object' && value !== null) {
    visit(value as Json)
    for (const item of Object.values(value)) walk(item, visit)
  }
}

function issuesOf(outcome: Json): string[] {
  return asList(outcome.issue).map((issue) => {
    const message = textOf(issue.diagnostics) ?? wordsOf(issue.details)
    return [textOf(issue.code), message].filter(Boolean).join(': ')
  })
}

const linkOf = (bundle: Json, relation: string): string | null =>
  textOf(asList(bundle.link).find((link) => link.relation === relation)?.url)

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const asList = (value: unknown): Json[] =>
  Array.isArray(value) ? value.map(asObject).filter((item) => item !== null) : []

const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
