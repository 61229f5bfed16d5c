/** The fields of the builder for one type: what each parameter can be asked with, and which are asked for most. */
import { isFhirType, registryRow } from '../../server/contract/fhir-registry.ts'
import { modifiersOf } from '../../server/contract/fhir-type-row.ts'
import type { CapabilityType } from './capability.ts'
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

/** What the statement says is asked for together, the most often named first; without that, whatever is the type's own. */
function mainParameters({ parameters, combinations }: CapabilityType): readonly string[] {
  const named = combinations.flat()
  const timesOf = (name: string) => named.filter((each) => each === name).length
  const own = parameters.map(({ name }) => name).filter((name) => !name.startsWith('_'))
  const asked = own.filter((name) => timesOf(name) > 0 || name === 'patient')
  const listed = asked.length > 1 ? asked : own.length > 0 ? own : parameters.map(({ name }) => name)
  return listed.toSorted((one, other) => timesOf(other) - timesOf(one)).slice(0, mainMax)
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
  switch (rowOf(type, name)?.kind) {
    case 'id':
      return 'id'
    case 'patient':
      return 'person'
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
  const given = values[valueField(name)] ?? ['']
  return given.length >= valuesMax ? null : { ...values, [valueField(name)]: [...given, ''] }
}
