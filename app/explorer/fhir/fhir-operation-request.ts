/** From the fields of an operation's form to its request, and the pages that its answer leads to. */
import {
  fhirOperationCalls,
  type OperationCall,
  type OperationInput,
} from '../../../server/contract/fhir/operation-calls.ts'
import { type FhirOperationName, fhirOperations } from '../../../server/contract/fhir/operations.ts'
import { isFhirType } from '../../../server/contract/fhir/registry.ts'
import type { CapabilityType } from './capability.ts'
import { operationField } from './fhir-field.ts'
import {
  type BuiltRequest,
  type FhirRequest,
  type Fields,
  hasAddress,
  idRule,
  isId,
  refused,
  textOf,
  textsOf,
  valueMax,
} from './fhir-request-parts.ts'

export interface BuilderOperation {
  readonly name: FhirOperationName
  readonly isInstance: boolean
  readonly documentation: string
  readonly inputs: readonly OperationInput[]
}

const names = Object.keys(fhirOperations) as FhirOperationName[]

/** What of the statement's operations the builder can call: those of its own table. */
export function builderOperations({ type, operations }: CapabilityType): readonly BuilderOperation[] {
  return names
    .filter((name) => fhirOperations[name].type === type && operations.includes(name))
    .map((name) => ({
      name,
      isInstance: fhirOperations[name].level === 'instance',
      documentation: fhirOperations[name].documentation,
      inputs: fhirOperationCalls[name].inputs,
    }))
}

export function buildOperation(fields: Fields, type: CapabilityType): BuiltRequest {
  const operation = builderOperations(type).find(({ name }) => name === textOf(fields, 'operation'))
  if (!operation) return refused('operation', `${type.type} has no such operation.`, true)
  const id = textOf(fields, 'id')
  if (operation.isInstance && !isId(id)) return refused('id', idRule, hasAddress(id))
  const query = new URLSearchParams()
  for (const input of operation.inputs) {
    const field = operationField(input.name)
    const value = textsOf(fields, field).filter(Boolean).join(',')
    if (value === '') continue
    const wrong = value.length > valueMax ? `At most ${valueMax} characters.` : faultOf(input, value)
    if (wrong !== null) return refused(field, wrong, hasAddress(value) && input.kind === 'patient')
    query.append(input.name, value)
  }
  const place = operation.isInstance ? `${type.type}/${id}` : type.type
  return { kind: 'built', request: requestOf(type.type, operation.name, place, query.toString()) }
}

/** Dates and codes are for the server to judge: its refusals are worth seeing. */
function faultOf({ kind, max = 0 }: OperationInput, value: string): string | null {
  switch (kind) {
    case 'patient':
      return isId(value.replace(/^Patient\//, '')) ? null : idRule
    case 'types':
      return value.split(',').every(isFhirType) ? null : 'Choose types from the list.'
    case 'flag':
      return value === 'true' || value === 'false' ? null : 'Enter true or false.'
    case 'number':
      return /^\d{1,3}$/.test(value) && Number(value) <= max ? null : `Enter a number from 0 to ${max}.`
    default:
      return null
  }
}

/**
 * The request of a path below the base that ends with an operation; null for any other path.
 * @param search with its question mark, or empty
 */
export function readOperationLink(
  segments: readonly string[],
  search: string,
  capability: readonly CapabilityType[],
): FhirRequest | null {
  const [typeName = '', ...rest] = segments
  const type = capability.find((each) => each.type === typeName)
  const [last = ''] = rest.slice(-1)
  const operation = type && builderOperations(type).find(({ name }) => `$${name}` === last)
  if (!operation || rest.length !== (operation.isInstance ? 2 : 1)) return null
  const [id = ''] = rest
  if (operation.isInstance && !isId(id)) return null
  const place = operation.isInstance ? `${typeName}/${id}` : typeName
  return requestOf(typeName, operation.name, place, search.slice(1))
}

function requestOf(type: string, name: FhirOperationName, place: string, query: string): FhirRequest {
  const { inputs: _, ...call }: OperationCall = fhirOperationCalls[name]
  return {
    interaction: 'operation',
    type,
    path: `${place}/$${name}${query === '' ? '' : `?${query}`}`,
    included: [],
    operation: { ...call, name: `$${name}`, isInstance: fhirOperations[name].level === 'instance' },
  }
}
