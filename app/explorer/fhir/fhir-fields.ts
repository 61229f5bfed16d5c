/** The fields of the builder for one type: what each parameter can be asked with, and which are asked for most. */
import { isFhirType, registryRow } from '../../../server/contract/fhir/registry.ts'
import { modifiersOf } from '../../../server/contract/fhir/type-row.ts'
import type { CapabilityParameter, CapabilityType } from './capability.ts'
import {
  type BuilderField,
  type Comparison,
  canRepeat,
  datePrefixes,
  valueField,
  valuesMax,
} from './fhir-field.ts'

const mainMax = 6

/** In the order of the statement. */
export function builderFields(type: CapabilityType): readonly BuilderField[] {
  const main = mainParameters(type)
  return type.parameters.map(({ name, type: kind }) => ({
    name,
    type: kind,
    input: inputOf(type.type, name, kind),
    comparisons: comparisonsOf(type.type, name, kind),
    isMain: main.includes(name),
  }))
}

/**
 * Whom it is about, then what the statement says is asked for together, the most often named first and codes before
 * dates; without that, whatever is the type's own.
 */
function mainParameters(type: CapabilityType): readonly string[] {
  const { parameters, combinations } = type
  const named = combinations.flat()
  const timesOf = (name: string) => named.filter((each) => each === name).length
  const rankOf = ({ name, type: kind }: CapabilityParameter) =>
    isAboutWhom(type.type, name) ? -1 : named.indexOf(name) + (kind === 'token' ? 0 : named.length)
  const own = parameters.filter(({ name }) => !name.startsWith('_') || isAboutWhom(type.type, name))
  const shown = own.filter(({ name }) => timesOf(name) > 0 || isAboutWhom(type.type, name))
  const listed = shown.length > 1 ? shown : own.length > 0 ? own : parameters
  return listed
    .toSorted((one, other) => timesOf(other.name) - timesOf(one.name) || rankOf(one) - rankOf(other))
    .toSorted((one, other) => Math.min(rankOf(one), 0) - Math.min(rankOf(other), 0))
    .slice(0, mainMax)
    .map(({ name }) => name)
}

/** `patient`, and `_id` of the type whose resources are the owners of charts: one of them a search has to name. */
function isAboutWhom(type: string, name: string): boolean {
  const row = rowOf(type, name)
  const isOwner = isFhirType(type) && registryRow(type).compartment === 'self'
  return row?.kind === 'patient' || (row?.kind === 'id' && isOwner)
}

function comparisonsOf(type: string, name: string, kind: string): readonly Comparison[] {
  const row = rowOf(type, name)
  const modifiers = row === undefined ? [] : modifiersOf[row.kind]
  const whether: readonly Comparison[] = modifiers.includes('missing') ? ['missing', 'present'] : []
  if (kind === 'date') return [...datePrefixes, ...whether]
  const own = (['not', 'exact', 'contains'] as const).filter((each) => modifiers.includes(each))
  return modifiers.length === 0 ? [] : ['eq', ...own, ...whether]
}

/** By the registry, which tells more kinds apart than a statement; by the statement for a parameter it does not have. */
function inputOf(type: string, name: string, kind: string): BuilderField['input'] {
  if (isAboutWhom(type, name)) return 'person'
  switch (rowOf(type, name)?.kind) {
    case 'id':
      return 'id'
    case 'canonical':
      return 'canonical'
    default:
      return kind === 'reference' ? 'record' : kind === 'token' ? 'code' : kind === 'date' ? 'date' : 'text'
  }
}

function rowOf(type: string, name: string) {
  return isFhirType(type) ? registryRow(type).parameters.find((each) => each.name === name) : undefined
}

type Values = Readonly<Record<string, readonly string[]>>

/** The same values, and one more empty field of the parameter that `more` names; null where there is no room for one. */
export function withOneMore(values: Values, type: CapabilityType): Values | null {
  const [name = ''] = values.more ?? []
  if (!builderFields(type).some((field) => field.name === name && canRepeat(field))) return null
  const entered = values[valueField(name)] ?? ['']
  return entered.length >= valuesMax ? null : { ...values, [valueField(name)]: [...entered, ''] }
}
