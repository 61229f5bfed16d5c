/** From the fields of an operation's form to its request, and the pages that its answer leads to. */
import {
  fhirOperationCalls,
  type OperationCall,
  type OperationInput,
} from '../../../server/contract/fhir/operation-calls.ts'
import { type FhirOperationName, fhirOperations } from '../../../server/contract/fhir/operations.ts'
import { isFhirType } from '../../../server/contract/fhir/registry.ts'
import type { CapabilityType } from './capability.ts'
import { operationField, operationsOf } from './fhir-fields.ts'
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

/** Of one resource, named in the path. */
export const isInstance = (name: FhirOperationName) => fhirOperations[name].level === 'instance'

export function buildOperation(fields: Fields, type: CapabilityType): BuiltRequest {
  const name = operationsOf(type).find((each) => each === textOf(fields, 'operation'))
  if (!name) return refused('operation', `${type.type} has no such operation.`, true)
  const id = textOf(fields, 'id')
  if (isInstance(name) && !isId(id)) return refused('id', idRule, hasAddress(id))
  const query = new URLSearchParams()
  for (const input of fhirOperationCalls[name].inputs) {
    const field = operationField(input.name)
    const value = textsOf(fields, field).filter(Boolean).join(',')
    if (value === '') continue
    const wrong = value.length > valueMax ? `At most ${valueMax} characters.` : faultOf(input, value)
    if (wrong !== null) return refused(field, wrong, hasAddress(value) && input.kind === 'patient')
    query.append(input.name, value)
  }
  const place = isInstance(name) ? `${type.type}/${id}` : type.type
  return { kind: 'built', request: requestOf(type.type, name, place, query.toString()) }
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
  const name = type && operationsOf(type).find((each) => `$${each}` === last)
  if (!name || rest.length !== (isInstance(name) ? 2 : 1)) return null
  const [id = ''] = rest
  if (isInstance(name) && !isId(id)) return null
  const place = isInstance(name) ? `${typeName}/${id}` : typeName
  return requestOf(typeName, name, place, search.slice(1))
}

function requestOf(type: string, name: FhirOperationName, place: string, query: string): FhirRequest {
  const { inputs: _, ...call }: OperationCall = fhirOperationCalls[name]
  return {
    interaction: 'operation',
    type,
    path: `${place}/$${name}${query === '' ? '' : `?${query}`}`,
    included: [],
    operation: { ...call, name: `$${name}`, isInstance: isInstance(name) },
  }
}
