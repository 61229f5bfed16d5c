/** Restores a request from a call of the history, with the values that were stored. */

import { paths } from '../../../server/contract/portal/paths.ts'
import type { KeptRequest } from '../../../server/lab/explorer/explorer-history.ts'
import type { Services } from '../../../server/services.ts'
import { operationField, sharedFields, valueField } from '../fhir/fhir-fields.ts'
import type { LastCall, Values } from '../page.ts'

/** Stands for a value that was not stored. */
const leftOut = '…'

type StoredCall = Awaited<ReturnType<Services['explorerHistory']['list']>>[number]

export function toLastCall(call: StoredCall): LastCall {
  const { id, status, at, durationMs, request } = call
  const query = Object.entries(request.query).flatMap(([name, value]) =>
    [value].flat().map((item) => `${name}=${item}`),
  )
  const path = `${request.path}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return { id, to: pathOf(call), method: request.method, path, status, at, durationMs }
}

function pathOf({ practiceSlug: practice, ...call }: StoredCall): string {
  const { id, interface: api, operation, level, request } = call
  const withPractice = (path: string, query: Record<string, string>, pairs: [string, string][] = []) =>
    `${path}?${new URLSearchParams([['practice', practice], ...Object.entries(query), ...pairs])}`
  const [type = '', action = ''] = operation.split(' ')
  switch (api) {
    case 'fhir':
      return withPractice(paths.explorerFhir, { type, interaction: action.replace('$', ''), call: id })
    case 'mcp':
      return withPractice(paths.explorerMcp, { level, tool: operation, call: id })
    default:
      return withPractice(
        paths.explorerOperation(operation),
        { level },
        pairsOf(request).flatMap(([name, values]) =>
          values.map((value): [string, string] => [`q.${name}`, value]),
        ),
      )
  }
}

/** The values of the FHIR form, and the fields whose values were not stored, such as the ID of a read. */
export function fieldsOfCall({ operation, request }: Pick<StoredCall, 'operation' | 'request'>): {
  values: Values
  empty: readonly string[]
} {
  const [, name = ''] = operation.split(' ')
  const inputOf = name.startsWith('$')
    ? operationField
    : (parameter: string) => sharedFields[parameter] ?? valueField(parameter)
  const pairs = pairsOf(request)
  const stored = new Set(pairs.map(([parameter]) => parameter))
  return {
    values: Object.fromEntries(pairs.map(([parameter, values]) => [inputOf(parameter), values])),
    empty: [
      ...(request.path.includes('{id}') ? ['id'] : []),
      ...Object.keys(request.query).filter((parameter) => !stored.has(parameter)),
    ],
  }
}

/** Parameters of which every value was stored. */
function pairsOf({ query }: KeptRequest): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(query)
    .map(([name, value]) => [name, [value].flat()] as const)
    .filter(([, values]) => !values.includes(leftOut))
}
