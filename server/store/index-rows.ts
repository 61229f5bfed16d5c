/**
 * The index rows of a resource, computed from its content and the registry alone: no type is named here.
 * Pure; `write` stores what this returns.
 */
import { type DateInterval, parseDateInterval, periodInterval } from '../contract/date-interval.ts'
import {
  type FhirType,
  fhirTypeNumbers,
  registryRow,
  type SearchParameterRow,
  searchParameterNumbers,
} from '../contract/fhir-registry.ts'
import { fold } from '../contract/fold.ts'
import { elementsAt, textsAt } from './elements.ts'
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

/** @returns every index row of the resource, without doubles. */
export function indexRows(type: FhirType, resource: Resource): IndexRows {
  const row = registryRow(type)
  const sortParameter = row.parameters.find((parameter) => parameter.sorts)
  const of = (kind: SearchParameterRow['kind']) =>
    row.parameters.filter((parameter) => parameter.kind === kind)
  const number = (parameter: SearchParameterRow) => searchParameterNumbers[parameter.name]
  return {
    patientId: compartmentOwner(type, resource),
    sortDate: sortParameter ? spanOf(intervals(resource, sortParameter)) : null,
    tokens: distinct([
      ...of('token').flatMap((parameter) => codedValues(resource, parameter)),
      ...of('canonical').flatMap((parameter) => canonicals(resource, parameter)),
    ]),
    moments: distinct(
      of('date')
        .filter((parameter) => !parameter.sorts)
        .flatMap((parameter) =>
          intervals(resource, parameter).map((interval) => ({ parameter: number(parameter), ...interval })),
        ),
    ),
    names: distinct(
      of('string').flatMap((parameter) =>
        textsAt(resource, parameter.paths)
          .map(fold)
          .filter((value) => value !== '')
          .map((value) => ({ parameter: number(parameter), value })),
      ),
    ),
    identifiers: distinct(of('identifier').flatMap((parameter) => identifiersAt(resource, parameter))),
    links: distinct(of('reference').flatMap((parameter) => links(resource, parameter))),
    roster: row.roster && rosterKeys(row.roster, resource),
  }
}

/**
 * The patient whose chart the resource belongs to; null outside the compartment, and where it can only be told
 * through `ownerSources`.
 */
export function compartmentOwner(type: FhirType, resource: Resource): string | null {
  const { compartment } = registryRow(type)
  if (compartment === null) return null
  if (compartment === 'self') return resource.id ?? null
  for (const element of elementsAt(resource, compartment)) {
    const target = relativeTarget(element)
    if (target?.type === 'Patient') return target.id
  }
  return null
}

/** References whose target's owner is the owner, where no path of the compartment names one. */
export function ownerSources(type: FhirType, resource: Resource): { type: FhirType; id: string }[] {
  return elementsAt(resource, registryRow(type).compartmentThrough ?? []).flatMap(
    (element) => relativeTarget(element) ?? [],
  )
}

function codedValues(resource: Resource, parameter: SearchParameterRow): CodedValue[] {
  const number = searchParameterNumbers[parameter.name]
  return elementsAt(resource, parameter.paths).flatMap((element) =>
    codings(element, parameter.system ?? '').map(({ system, code }) => ({ parameter: number, system, code })),
  )
}

function codings(element: unknown, impliedSystem: string): { system: string; code: string }[] {
  if (typeof element === 'string') return [{ system: impliedSystem, code: element }]
  if (typeof element === 'boolean') return [{ system: impliedSystem, code: String(element) }]
  if (!isObject(element)) return []
  if (Array.isArray(element.coding)) return element.coding.flatMap((coding) => codings(coding, ''))
  if (typeof element.code !== 'string') return []
  return [{ system: typeof element.system === 'string' ? element.system : '', code: element.code }]
}

/** With a version and without: a search may name either. https://hl7.org/fhir/R4/references.html#canonical */
function canonicals(resource: Resource, parameter: SearchParameterRow): CodedValue[] {
  const number = searchParameterNumbers[parameter.name]
  return textsAt(resource, parameter.paths)
    .flatMap((url) => [url, url.split('|')[0] ?? url])
    .map((code) => ({ parameter: number, system: '', code }))
}

/** From the first moment to the last; a Timing has several. */
function spanOf(dates: readonly DateInterval[]): DateInterval | null {
  if (dates.length < 2) return dates[0] ?? null
  const millis = (text: string) =>
    text === 'infinity' ? Infinity : text === '-infinity' ? -Infinity : Date.parse(text)
  const first = dates.reduce((a, b) => (millis(b.low) < millis(a.low) ? b : a))
  const last = dates.reduce((a, b) => (millis(b.high) > millis(a.high) ? b : a))
  return { low: first.low, high: last.high }
}

function intervals(resource: Resource, parameter: SearchParameterRow): DateInterval[] {
  return elementsAt(resource, parameter.paths).flatMap((element) => {
    const interval =
      typeof element === 'string'
        ? parseDateInterval(element)
        : isObject(element)
          ? periodInterval(optionalText(element.start), optionalText(element.end))
          : null
    return interval === null ? [] : [interval]
  })
}

function identifiersAt(
  resource: Resource,
  parameter: SearchParameterRow,
): { system: string; value: string }[] {
  return elementsAt(resource, parameter.paths).flatMap((element) =>
    isObject(element) && typeof element.value === 'string'
      ? [{ system: optionalText(element.system) ?? '', value: element.value }]
      : [],
  )
}

function links(
  resource: Resource,
  parameter: SearchParameterRow,
): { kind: number; targetType: number; target: string }[] {
  return elementsAt(resource, parameter.paths).flatMap((element) => {
    const target = relativeTarget(element)
    return target
      ? [
          {
            kind: searchParameterNumbers[parameter.name],
            targetType: fhirTypeNumbers[target.type],
            target: target.id,
          },
        ]
      : []
  })
}

function relativeTarget(element: unknown): { type: FhirType; id: string } | null {
  if (!isObject(element) || typeof element.reference !== 'string') return null
  const [type = '', id = '', rest] = element.reference.split('/')
  if (rest !== undefined || id === '' || !Object.hasOwn(fhirTypeNumbers, type)) return null
  return { type: type as FhirType, id }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function distinct<Row>(rows: readonly Row[]): Row[] {
  if (rows.length < 2) return [...rows]
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]
}
