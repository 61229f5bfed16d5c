/** `_include` and `_revinclude` as the registry lists them, https://hl7.org/fhir/R4/search.html#revinclude */
import {
  type FhirType,
  type FhirTypeRow,
  registryRow,
  type SearchParameterRow,
  searchParameterNumbers,
} from '../contract/fhir/registry.ts'
import { type Access, filtersOf, grantsFor } from './access.ts'
import type { IncludePlan, ScopeCodes, Visible } from './plan.ts'
import { notSupported } from './result-parameters.ts'

interface IncludeContext {
  readonly type: FhirType
  /** The chart that is searched, if any. */
  readonly patientId: string | null
  readonly accessTo: (type: FhirType) => Access | null
  readonly rowOf: (type: FhirType) => FhirTypeRow
}

interface CompiledInclude {
  readonly includes: readonly IncludePlan[]
  /** Types that would be added but are not granted. */
  readonly withheld: readonly FhirType[]
}

/** @throws Problem `validation` for a value that the registry does not list */
export function compileInclude(
  name: '_include' | '_revinclude',
  value: string,
  context: IncludeContext,
): CompiledInclude {
  const row = context.rowOf(context.type)
  const listed = name === '_include' ? row.includes : row.revIncludes
  const matches = listed.flatMap((each) => matching(name, each, value, context.type))
  if (matches.length === 0) {
    const offered = listed.length === 0 ? 'It has none.' : `Supported: ${listed.join(', ')}.`
    throw notSupported(`This value of ${name} is not supported on ${context.type}. ${offered}`, name)
  }
  const includes: IncludePlan[] = []
  const withheld: FhirType[] = []
  for (const { type, parameter } of matches) {
    const access = context.accessTo(type)
    const visible = visibleIn(access, type, context.patientId) ?? outsideCharts(access, type, context)
    if (visible === null) withheld.push(type)
    else includes.push({ direction: name === '_include' ? 'forward' : 'reverse', parameter, visible })
  }
  return { includes, withheld }
}

/** Compares a value with one listed include. @returns the types that it adds, and the parameter that leads to them */
function matching(
  name: '_include' | '_revinclude',
  listed: string,
  value: string,
  type: FhirType,
): { type: FhirType; parameter: number }[] {
  const [source = '', code = '', target] = listed.split(':')
  const [requestedSource, requestedCode, requestedTarget, ...rest] = value.split(':')
  if (requestedSource !== source || requestedCode !== code || rest.length > 0) return []
  const parameter = referenceNamed(source as FhirType, code)
  const number = searchParameterNumbers[parameter.name]
  if (name === '_revinclude') {
    return requestedTarget === undefined || requestedTarget === type
      ? [{ type: source as FhirType, parameter: number }]
      : []
  }
  const targets = target === undefined ? (parameter.targets ?? []) : [target as FhirType]
  return targets
    .filter((targetType) => requestedTarget === undefined || requestedTarget === targetType)
    .map((targetType) => ({ type: targetType, parameter: number }))
}

function referenceNamed(type: FhirType, name: string): SearchParameterRow {
  const found = registryRow(type).parameters.find((each) => each.name === name && each.kind === 'reference')
  if (found === undefined) throw new Error(`${type} has no reference ${name}`)
  return found
}

/** @returns which resources of a type a search of this chart, or outside all charts, may include; null if none */
export function visibleIn(access: Access | null, type: FhirType, patientId: string | null): Visible | null {
  if (access === null) return null
  const inChart = registryRow(type).compartment !== null
  const chart = inChart ? (patientId ?? access.patientId) : null
  if (inChart && chart === null) return null
  const grants = grantsFor(access, chart)
  return grants.length === 0 ? null : { type, patientId: chart, codes: scopeCodes(grants) }
}

/**
 * If no chart limits the caller, a search outside charts includes nothing from a chart: to search charts, it must name
 * a patient, https://hl7.org/fhir/R4/compartmentdefinition.html
 */
function outsideCharts(access: Access | null, type: FhirType, { patientId }: IncludeContext): Visible | null {
  if (access === null || patientId !== null || access.patientId !== null) return null
  return { type, patientId: null, codes: scopeCodes(grantsFor(access, null)) }
}

/** The filters of scopes as codes of the index; null if one of the grants has no filter. */
export function scopeCodes(grants: Access['grants']): ScopeCodes | null {
  const filters = filtersOf(grants)
  if (filters === null) return null
  return filters.map(({ parameter, system, code }) => ({
    parameter: searchParameterNumbers[parameter],
    system,
    code,
  }))
}
