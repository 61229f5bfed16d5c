/**
 * The index rows of a resource, computed from its content and the registry alone: no type is named here.
 * Pure; `write` stores what this returns.
 */
import { type DateInterval, parseDateInterval, periodInterval } from '../contract/fhir/date-interval.ts'
import {
  type FhirType,
  fhirRegistry,
  fhirTypeNumbers,
  registryRow,
  type SearchParameterRow,
  searchParameterNumbers,
} from '../contract/fhir/registry.ts'
import { fold } from '../contract/text/fold.ts'
import { elementsAlong, type Steps, stepsOf } from './elements.ts'
import { type RosterKeys, rosterKeys } from './roster.ts'

/** A FHIR resource as an object; `id` and `resourceType` are checked by `write`. */
export interface Resource {
  readonly resourceType: string
  readonly id?: string
  readonly meta?: Readonly<Record<string, unknown>>
  readonly [element: string]: unknown
}

export interface CodedValue {
  readonly parameter: number
  readonly system: string
  readonly code: string
}

export interface IndexRows {
  readonly patientId: string | null
  readonly sortDate: DateInterval | null
  readonly tokens: readonly CodedValue[]
  readonly moments: readonly ({ readonly parameter: number } & DateInterval)[]
  readonly names: readonly { readonly parameter: number; readonly value: string }[]
  readonly identifiers: readonly { readonly system: string; readonly value: string }[]
  readonly links: readonly { readonly kind: number; readonly targetType: number; readonly target: string }[]
  readonly roster: RosterKeys | null
}

/** @returns every index row of the resource, without duplicates. */
export function indexRows(type: FhirType, resource: Resource): IndexRows {
  const { sort, of } = indexPlan(type)
  const { roster } = registryRow(type)
  const tokens = rowsOf(resource, of.token, addCodes)
  return {
    patientId: compartmentOwner(type, resource),
    sortDate: sort && spanOf(rowsOf(resource, [sort], addInterval)),
    tokens: distinct(
      of.canonical.length === 0 ? tokens : [...tokens, ...rowsOf(resource, of.canonical, addCanonicals)],
      ({ parameter, system, code }) => `${parameter}\0${system}\0${code}`,
    ),
    moments: distinct(
      rowsOf(resource, of.date, addInterval),
      ({ parameter, low, high }) => `${parameter} ${low} ${high}`,
    ),
    names: distinct(rowsOf(resource, of.string, addName), ({ parameter, value }) => `${parameter} ${value}`),
    identifiers: distinct(
      rowsOf(resource, of.identifier, addIdentifier),
      ({ system, value }) => `${system}\0${value}`,
    ),
    links: distinct(
      rowsOf(resource, of.reference, addLink),
      ({ kind, targetType, target }) => `${kind} ${targetType} ${target}`,
    ),
    roster: roster && rosterKeys(roster, resource),
  }
}

/**
 * The patient whose chart the resource belongs to; null outside the patient compartment, and if the patient can only be
 * found through `ownerSources`.
 */
function compartmentOwner(type: FhirType, resource: Resource): string | null {
  const { compartment } = indexPlan(type)
  if (compartment === null) return null
  if (compartment === 'self') return resource.id ?? null
  for (const element of elementsAlong(resource, compartment)) {
    const target = relativeTarget(element)
    if (target?.type === 'Patient') return target.id
  }
  return null
}

/** References to resources whose patient is also this resource's, if no path of the compartment names the patient. */
export function ownerSources(type: FhirType, resource: Resource): { type: FhirType; id: string }[] {
  return elementsAlong(resource, indexPlan(type).compartmentThrough).flatMap(
    (element) => relativeTarget(element) ?? [],
  )
}

/** Adds the index rows of one element. It pushes into `rows` because it runs for every element ever stored. */
type Read<Row> = (element: unknown, parameter: IndexedParameter, rows: Row[]) => void

function rowsOf<Row>(resource: Resource, parameters: readonly IndexedParameter[], read: Read<Row>) {
  const rows: Row[] = []
  for (const parameter of parameters) {
    for (const element of elementsAlong(resource, parameter.steps)) read(element, parameter, rows)
  }
  return rows
}

function addCodes(element: unknown, { number, system }: IndexedParameter, rows: CodedValue[]): void {
  if (typeof element === 'string' || typeof element === 'boolean') {
    rows.push({ parameter: number, system, code: String(element) })
    return
  }
  if (!isObject(element)) return
  if (!Array.isArray(element.coding)) addCoding(element, number, rows)
  else for (const coding of element.coding) addCoding(coding, number, rows)
}

function addCoding(coding: unknown, number: number, rows: CodedValue[]): void {
  if (!isObject(coding) || typeof coding.code !== 'string') return
  rows.push({ parameter: number, system: optionalText(coding.system) ?? '', code: coding.code })
}

/** With its version and without, because a search may use either. https://hl7.org/fhir/R4/references.html#canonical */
function addCanonicals(url: unknown, { number }: IndexedParameter, rows: CodedValue[]): void {
  if (typeof url !== 'string') return
  for (const code of [url, url.split('|')[0] ?? url]) rows.push({ parameter: number, system: '', code })
}

function addName(text: unknown, { number }: IndexedParameter, rows: IndexRows['names'][number][]): void {
  const value = typeof text === 'string' ? fold(text) : ''
  if (value !== '') rows.push({ parameter: number, value })
}

function addInterval(element: unknown, { number }: IndexedParameter, rows: IndexRows['moments'][number][]) {
  const interval =
    typeof element === 'string'
      ? parseDateInterval(element)
      : isObject(element)
        ? periodInterval(optionalText(element.start), optionalText(element.end))
        : null
  if (interval !== null) rows.push({ parameter: number, low: interval.low, high: interval.high })
}

function addIdentifier(element: unknown, _: IndexedParameter, rows: IndexRows['identifiers'][number][]) {
  if (!isObject(element) || typeof element.value !== 'string') return
  rows.push({ system: optionalText(element.system) ?? '', value: element.value })
}

function addLink(element: unknown, { number }: IndexedParameter, rows: IndexRows['links'][number][]): void {
  const target = relativeTarget(element)
  if (target) rows.push({ kind: number, targetType: fhirTypeNumbers[target.type], target: target.id })
}

/** From the earliest date to the latest, because a Timing has several. */
function spanOf(dates: readonly DateInterval[]): DateInterval | null {
  const [only] = dates
  if (only === undefined) return null
  if (dates.length === 1) return { low: only.low, high: only.high }
  const millis = (text: string) =>
    text === 'infinity' ? Infinity : text === '-infinity' ? -Infinity : Date.parse(text)
  const first = dates.reduce((a, b) => (millis(b.low) < millis(a.low) ? b : a))
  const last = dates.reduce((a, b) => (millis(b.high) > millis(a.high) ? b : a))
  return { low: first.low, high: last.high }
}

function relativeTarget(element: unknown): { type: FhirType; id: string } | null {
  if (!isObject(element) || typeof element.reference !== 'string') return null
  const { reference } = element
  const slash = reference.indexOf('/')
  const type = reference.slice(0, slash)
  const id = reference.slice(slash + 1)
  if (slash < 0 || id === '' || id.includes('/') || !Object.hasOwn(fhirTypeNumbers, type)) return null
  return { type: type as FhirType, id }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const optionalText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function distinct<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  if (rows.length < 2) return rows
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

// The registry's rows of each type, grouped once by how they are indexed.

interface IndexedParameter {
  readonly number: number
  readonly steps: readonly Steps[]
  /** The code system of a plain `code` element, which does not name one. */
  readonly system: string
}

interface IndexPlan {
  /** Null outside the compartment. */
  readonly compartment: 'self' | readonly Steps[] | null
  readonly compartmentThrough: readonly Steps[]
  /** The date by which search results of the type are sorted. */
  readonly sort: IndexedParameter | null
  readonly of: Readonly<Record<SearchParameterRow['kind'], readonly IndexedParameter[]>>
}

const plans = Object.fromEntries(
  (Object.keys(fhirRegistry) as FhirType[]).map((type) => [type, planOf(type)]),
) as Readonly<Record<FhirType, IndexPlan>>

const indexPlan = (type: FhirType): IndexPlan => plans[type]

function planOf(type: FhirType): IndexPlan {
  const { compartment, compartmentThrough, parameters } = fhirRegistry[type]
  const sort = parameters.find(({ sorts }) => sorts)
  const byKind = (kind: SearchParameterRow['kind']) =>
    parameters.filter((parameter) => parameter.kind === kind && !parameter.sorts).map(indexed)
  return {
    compartment: compartment === 'self' ? 'self' : (compartment?.map(stepsOf) ?? null),
    compartmentThrough: (compartmentThrough ?? []).map(stepsOf),
    sort: sort ? indexed(sort) : null,
    of: {
      id: byKind('id'),
      updated: byKind('updated'),
      patient: byKind('patient'),
      string: byKind('string'),
      identifier: byKind('identifier'),
      token: byKind('token'),
      date: byKind('date'),
      reference: byKind('reference'),
      canonical: byKind('canonical'),
    },
  }
}

function indexed({ name, paths, system = '' }: SearchParameterRow): IndexedParameter {
  return { number: searchParameterNumbers[name], steps: paths.map(stepsOf), system }
}
