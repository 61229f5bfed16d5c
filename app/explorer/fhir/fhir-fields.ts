/** The fields of the FHIR form: the parameters of a search, the inputs of an operation, and the token’s scopes. */
import { fhirOperationCalls, type OperationInput } from '../../../server/contract/fhir/operation-calls.ts'
import { type FhirOperationName, fhirOperations } from '../../../server/contract/fhir/operations.ts'
import { isFhirType, registryRow } from '../../../server/contract/fhir/registry.ts'
import { modifiersOf } from '../../../server/contract/fhir/type-row.ts'
import { type Comparison, datePrefixes } from '../../shared/operations/comparisons.ts'
import type { RequestField } from '../../shared/operations/operation.ts'
import { comparisonOf } from '../form/address.ts'
import { textsOf, type Values } from '../page.ts'
import type { CapabilityParameter, CapabilityType } from './capability.ts'
import { countMax } from './fhir-request-parts.ts'
import { contextOf, type PersonKind } from './fhir-token.ts'

/** The name of a parameter's input. It must start with a letter and have no underscore. */
const inputOf = (parameter: string) => parameter.replace(/^_/, 'meta-')
export const valueField = (parameter: string) => `p-${inputOf(parameter)}`
export const operationField = (input: string) => `o-${inputOf(input)}`
export const comparisonField = (parameter: string) => comparisonOf(valueField(parameter))

/** Inputs of parameters that every search has. */
export const sharedFields: Readonly<Record<string, string>> = {
  _count: 'count',
  _sort: 'sort',
  _include: 'include',
  _revinclude: 'revinclude',
}

/** The most values of one parameter, which all must match. */
export const valuesMax = 5

const mainMax = 6

/** The fields of a type's parameters, in the order of the CapabilityStatement. */
export function builderFields(type: CapabilityType): readonly RequestField[] {
  const main = mainParameters(type)
  return type.parameters.map(({ name, type: kind }) => ({
    ...plain(valueField(name), name, inputKind(type.type, name, kind)),
    type: kind,
    comparisons: comparisonsOf(type.type, name, kind),
    isMain: main.includes(name),
    maxLength: 500,
  }))
}

function plain(input: string, name: string, kind: RequestField['kind']): RequestField {
  const placeholder = placeholders[kind as keyof typeof placeholders]
  return { input, name, place: 'query', required: false, description: '', kind, placeholder, choices: [] }
}

const placeholders = {
  person: 'id',
  date: '2026-01-31',
  code: 'code, system|code',
  record: 'id or Type/id',
  id: 'id',
  canonical: 'https://…',
}

/** A search names one patient and one ID, so these parameters have one value. */
const isComparable = ({ comparisons = [] }: RequestField) => comparisons.length > 0

/** Everything that the form depends on besides the type. */
interface FormContext {
  readonly kind: PersonKind
  /** The patient whose chart is searched. */
  readonly about: string
  /** The types that the API has. */
  readonly types: readonly string[]
}

export function searchFields(type: CapabilityType, { kind, about }: FormContext): readonly RequestField[] {
  const several = { kind: 'checks', description: 'Other resources in the same response.' } as const
  const added = [
    { ...plain('include', '_include', 'checks'), ...several, choices: type.includes },
    { ...plain('revinclude', '_revinclude', 'checks'), ...several, choices: type.revIncludes },
  ]
  return [
    ...builderFields(type).map((field) =>
      field.kind !== 'person'
        ? field
        : kind === 'patient'
          ? { ...field, placeholder: 'default: the token’s patient' }
          : { ...field, usual: about },
    ),
    ...added.filter(({ choices }) => choices.length > 0),
    { ...plain('sort', '_sort', 'choice'), none: 'default order', choices: sortsFor(type) },
    { ...plain('count', '_count', 'digits'), usual: '10', max: countMax, maxLength: 3 },
  ]
}

/** Every date parameter, in both directions. */
export const sortsOf = (parameters: readonly CapabilityParameter[]): readonly string[] =>
  parameters.filter(({ type }) => type === 'date').flatMap(({ name }) => [name, `-${name}`])

/** The sort parameters of a type: dates in the CapabilityStatement that the registry can sort by. */
function sortsFor({ type, parameters }: CapabilityType): readonly string[] {
  if (!isFhirType(type)) return []
  const sorting = registryRow(type).parameters.filter(({ sorts, kind }) => sorts || kind === 'updated')
  return sortsOf(parameters).filter((sort) => sorting.some(({ name }) => name === sort.replace('-', '')))
}

export const idField = (usual: string): RequestField => ({
  ...plain('id', 'id', 'id'),
  place: 'path',
  required: true,
  usual,
  // The maximum is longer than an ID, so that people can see the error of a wrong value.
  maxLength: 500,
})

/** The operations of the CapabilityStatement that the form can call, because its table has them. */
export function operationsOf({ type, operations }: CapabilityType): readonly FhirOperationName[] {
  const names = Object.keys(fhirOperations) as FhirOperationName[]
  return names.filter((name) => fhirOperations[name].type === type && operations.includes(name))
}

/** Whether the operation is called on one resource, which the path names. */
export const isInstance = (name: FhirOperationName) => fhirOperations[name].level === 'instance'

export function operationFields(name: FhirOperationName, form: FormContext): readonly RequestField[] {
  return fhirOperationCalls[name].inputs.map((input: OperationInput) => ({
    ...plain(operationField(input.name), input.name, 'text'),
    description: input.description,
    placeholder: input.example,
    max: input.max,
    maxLength: 500,
    ...kindOf(input, form),
  }))
}

function kindOf({ kind }: OperationInput, { about, types }: FormContext): Partial<RequestField> {
  switch (kind) {
    case 'patient':
      return { kind: 'person', usual: about, isMain: true }
    case 'types':
      return { kind: 'list', choices: types }
    case 'flag':
      return { kind: 'choice', choices: ['true', 'false'], none: 'not sent' }
    case 'number':
      return { kind: 'digits' }
    case 'instant':
      return { kind: 'moment' }
    default:
      return { kind }
  }
}

/** The fields for the token's scopes, and for a patient who is not on the list. */
export function tokenFields(type: string, kind: PersonKind, other: string): readonly RequestField[] {
  const context = contextOf[kind]
  const shared = { place: 'token', fold: 'Token scopes' } as const
  const labels = {
    all: `Everything, ${context}/*.rs`,
    needed: 'Only what this call needs',
    without: `Everything except ${type}, to see the refusal`,
    own: 'Custom scopes:',
  }
  return [
    {
      ...plain('scopes', 'Token scopes', 'choice'),
      ...shared,
      labels,
      choices: Object.keys(labels),
      usual: 'all',
    },
    {
      ...plain('scope', 'Custom scopes', 'text'),
      ...shared,
      usual: `${context}/${type}.rs`,
      maxLength: 1000,
    },
    { ...plain('other', 'Another patient’s ID', 'id'), ...shared, usual: other, maxLength: 64 },
  ]
}

/**
 * The patient, then parameters that the CapabilityStatement combines, the most frequent first and codes before dates.
 * Without combinations, the type's own parameters.
 */
function mainParameters(type: CapabilityType): readonly string[] {
  const { parameters, combinations } = type
  const named = combinations.flat()
  const timesOf = (name: string) => named.filter((other) => other === name).length
  const rankOf = ({ name, type: kind }: CapabilityParameter) =>
    isPatientParameter(type.type, name) ? -1 : named.indexOf(name) + (kind === 'token' ? 0 : named.length)
  const own = parameters.filter(({ name }) => !name.startsWith('_') || isPatientParameter(type.type, name))
  const shown = own.filter(({ name }) => timesOf(name) > 0 || isPatientParameter(type.type, name))
  const listed = shown.length > 1 ? shown : own.length > 0 ? own : parameters
  return listed
    .toSorted((one, other) => timesOf(other.name) - timesOf(one.name) || rankOf(one) - rankOf(other))
    .toSorted((one, other) => Math.min(rankOf(one), 0) - Math.min(rankOf(other), 0))
    .slice(0, mainMax)
    .map(({ name }) => name)
}

/** Whether the parameter names the patient: `patient`, or `_id` of Patient. A search needs one of them. */
function isPatientParameter(type: string, name: string): boolean {
  const row = rowOf(type, name)
  const isOwner = isFhirType(type) && registryRow(type).compartment === 'self'
  return row?.kind === 'patient' || (row?.kind === 'id' && isOwner)
}

function comparisonsOf(type: string, name: string, kind: string): readonly Comparison[] {
  const row = rowOf(type, name)
  const modifiers = row === undefined ? [] : modifiersOf[row.kind]
  const presence: readonly Comparison[] = modifiers.includes('missing') ? ['missing', 'present'] : []
  if (kind === 'date') return [...datePrefixes, ...presence]
  const own = (['not', 'exact', 'contains'] as const).filter((each) => modifiers.includes(each))
  return modifiers.length === 0 ? [] : ['eq', ...own, ...presence]
}

/** The input's kind by the registry, which has more kinds, or else by the parameter's type in the statement. */
function inputKind(type: string, name: string, kind: string): RequestField['kind'] {
  if (isPatientParameter(type, name)) return 'person'
  switch (rowOf(type, name)?.kind) {
    case 'id':
      return 'id'
    case 'canonical':
      return 'canonical'
    default:
      return kind === 'reference' ? 'record' : kind === 'token' ? 'code' : kind === 'date' ? 'date' : 'text'
  }
}

const rowOf = (type: string, name: string) =>
  isFhirType(type) ? registryRow(type).parameters.find((parameter) => parameter.name === name) : undefined

/** Adds an empty field of the parameter that `more` names; null if it has the most values already. */
export function withOneMore(values: Values, type: CapabilityType): Values | null {
  const [name = ''] = textsOf(values, 'more')
  if (!builderFields(type).some((field) => field.name === name && isComparable(field))) return null
  const input = valueField(name)
  const entered = textsOf({ [input]: '', ...values }, input)
  return entered.length >= valuesMax ? null : { ...values, [input]: [...entered, ''] }
}
