/**
 * Builds a request below a practice's base from the builder's fields. Every part of its URL comes from the
 * CapabilityStatement or is encoded as a value, so no field can name another host, path or header.
 */
import {
  fhirOperationCalls,
  type OperationCall,
  type OperationInput,
} from '../../../server/contract/fhir/operation-calls.ts'
import type { FhirOperationName } from '../../../server/contract/fhir/operations.ts'
import { isFhirType, registryRow } from '../../../server/contract/fhir/registry.ts'
import { comparedPair } from '../../shared/operations/comparisons.ts'
import type { RequestField } from '../../shared/operations/operation.ts'
import type { CapabilityType } from './capability.ts'
import {
  builderFields,
  comparisonField,
  isInstance,
  operationField,
  operationsOf,
  sortsOf,
  valueField,
  valuesMax,
} from './fhir-fields.ts'
import {
  type BuiltRequest,
  countMax,
  type FhirRequest,
  type Fields,
  hasAddress,
  idRule,
  isId,
  type RefusedRequest,
  refused,
  textOf,
  textsOf,
  valueMax,
} from './fhir-request-parts.ts'

/** @param base the practice's base, without a trailing slash */
export function buildFhirRequest(
  fields: Fields,
  capability: readonly CapabilityType[],
  base: string,
): BuiltRequest {
  const next = textOf(fields, 'next')
  if (next !== '') return followLink(next, capability, base)
  const go = textOf(fields, 'go')
  if (go !== '') return readReference(go, capability)
  const type = capability.find((each) => each.type === textOf(fields, 'type'))
  if (!type) return refused('type', 'Choose a type from the list.', true)
  if (textOf(fields, 'operation') !== '') return buildOperation(fields, type)
  const id = textOf(fields, 'id')
  if (textOf(fields, 'interaction') === 'read') return readReference(`${type.type}/${id}`, capability)
  return buildSearch(fields, type, base)
}

function buildSearch(fields: Fields, capability: CapabilityType, base: string): BuiltRequest {
  const { type, parameters, includes, revIncludes } = capability
  const query = new URLSearchParams()
  for (const field of builderFields(capability)) {
    const wrong = addValues(query, fields, field, base)
    if (wrong) return wrong
  }
  const added = { _include: includes, _revinclude: revIncludes } as const
  const included: string[] = []
  for (const [name, offered] of Object.entries(added))
    for (const value of fields.getAll(name.slice(1))) {
      if (typeof value !== 'string' || !offered.includes(value))
        return refused(name.slice(1), `${type} doesn’t support this value of ${name}.`)
      query.append(name, value)
      included.push(...typesAdded(name, value))
    }
  const sort = textOf(fields, 'sort')
  if (sort !== '') {
    const isOffered = sortsOf(parameters).includes(sort)
    if (!isOffered) return refused('sort', 'Choose an order from the list.')
    query.append('_sort', sort)
  }
  const count = textOf(fields, 'count')
  if (count !== '') {
    if (!/^\d{1,3}$/.test(count) || Number(count) > countMax)
      return refused('count', `Enter a number from 0 to ${countMax}.`)
    query.append('_count', count)
  }
  // A colon in a parameter's name needs no escape and is easier to read.
  const text = query.toString().replace(/(^|&)([\w-]+)%3A/g, '$1$2:')
  const path = text === '' ? type : `${type}?${text}`
  return { kind: 'built', request: { interaction: 'search', type, path, included: [...new Set(included)] } }
}

/** The included types. `_include=MedicationRequest:medication` names no target, so all targets are included. */
function typesAdded(name: string, value: string): readonly string[] {
  const [source = '', code, target] = value.split(':')
  if (name === '_revinclude') return [source]
  if (target !== undefined) return [target]
  if (!isFhirType(source)) return []
  return registryRow(source).parameters.find((each) => each.name === code)?.targets ?? []
}

function readReference(reference: string, capability: readonly CapabilityType[]): BuiltRequest {
  const [name = '', id = '', ...more] = reference.split('/')
  const type = capability.find((each) => each.type === name)
  if (more.length > 0 || type === undefined || !isId(id))
    return refused('id', idRule, hasAddress(reference.replace('/', '')))
  return {
    kind: 'built',
    request: { interaction: 'read', type: type.type, path: `${type.type}/${id}`, included: [] },
  }
}

/** Follows a page's link, which must be below the same base and name a type of the CapabilityStatement. */
function followLink(link: string, capability: readonly CapabilityType[], base: string): BuiltRequest {
  const elsewhere = refused('next', 'This link doesn’t lead to the practice it names.', true)
  if (!link.startsWith(`${base}/`) || !URL.canParse(link)) return elsewhere
  // Parsing resolves dot segments, and the result must equal the link.
  const { href, pathname, search, hash } = new URL(link)
  if (href !== link || hash !== '') return elsewhere
  const segments = pathname.slice(new URL(base).pathname.length + 1).split('/')
  const operation = readOperationLink(segments, search, capability)
  if (operation) return { kind: 'built', request: operation }
  const [type, ...more] = segments
  const known = capability.find((each) => each.type === type)
  if (!known || more.length > 0) return elsewhere
  return {
    kind: 'built',
    request: { interaction: 'next', type: known.type, path: `${known.type}${search}`, included: [] },
  }
}

const referenceRule = 'Enter an ID, Type/id, or a URL under this practice’s base URL.'

/**
 * Adds the values of a field to the query. A repeated parameter is sent repeatedly, and all of its values must match.
 * @param base the practice's base, without a trailing slash
 */
function addValues(
  query: URLSearchParams,
  fields: Fields,
  field: RequestField,
  base: string,
): RefusedRequest | null {
  const { name, comparisons = [] } = field
  const at = valueField(name)
  const values = textsOf(fields, at)
  const sentComparisons = textsOf(fields, comparisonField(name))
  const rows = Math.max(values.length, sentComparisons.length)
  if (rows > valuesMax) return refused(at, `Enter ${name} at most ${valuesMax} times.`)
  for (let row = 0; row < rows; row++) {
    const value = values[row] ?? ''
    const sent = sentComparisons[row] || 'eq'
    const comparison = sent === 'eq' ? sent : comparisons.find((name) => name === sent)
    if (comparison === undefined) return refused(at, 'Choose a comparison from the list.')
    const pair = comparedPair(name, comparison, value)
    if (pair === null) continue
    const wrong = pair[0].endsWith(':missing') ? null : checkValue(value, field, base)
    if (wrong) return wrong
    query.append(...pair)
  }
  return null
}

function checkValue(value: string, { name, kind }: RequestField, base: string): RefusedRequest | null {
  const at = valueField(name)
  if (value.length > valueMax) return refused(at, `At most ${valueMax} characters.`)
  const isReference = kind === 'record' || kind === 'person'
  if (!isReference || value.split(',').every((reference) => isReferenceTo(reference, base))) return null
  return refused(at, referenceRule, hasAddress(value))
}

function isReferenceTo(text: string, base: string): boolean {
  const relative = text.startsWith(`${base}/`) ? text.slice(base.length + 1) : text
  const [first = '', id, ...more] = relative.split('/')
  if (more.length > 0) return false
  return id === undefined ? isId(first) : /^[A-Za-z]{1,64}$/.test(first) && isId(id)
}

function buildOperation(fields: Fields, type: CapabilityType): BuiltRequest {
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

/** Checks an input, except for dates and codes: people should see how the server refuses those. */
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
function readOperationLink(
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
