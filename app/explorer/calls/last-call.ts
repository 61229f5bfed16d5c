/** From a line of the history back to the request that made it, with everything that was stored filled in. */

import { paths } from '../../../server/contract/portal/paths.ts'
import type { KeptRequest } from '../../../server/lab/explorer/explorer-history.ts'
import type { Services } from '../../../server/services.ts'
import { operationField, sharedFields, valueField } from '../fhir/fhir-fields.ts'
import type { LastCall, Values } from '../page.ts'

/** In place of values that were not stored. */
const leftOut = '…'

type StoredCall = Awaited<ReturnType<Services['explorerHistory']['list']>>[number]

export function toLastCall(call: StoredCall): LastCall {
  const { id, status, at, durationMs, request } = call
  const query = Object.entries(request.query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}=${each}`),
  )
  const path = `${request.path}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return { id, to: pathOf(call), method: request.method, path, status, at, durationMs }
}

function pathOf({ practiceSlug: practice, ...call }: StoredCall): string {
  const { id, interface: api, operation, level, request } = call
  const at = (path: string, query: Record<string, string>, more: [string, string][] = []) =>
    `${path}?${new URLSearchParams([['practice', practice], ...Object.entries(query), ...more])}`
  const [type = '', action = ''] = operation.split(' ')
  switch (api) {
    case 'fhir':
      return at(paths.explorerFhir, { type, interaction: action.replace('$', ''), call: id })
    case 'mcp':
      return at(paths.explorerMcp, { level, tool: operation, call: id })
    default:
      return at(
        paths.explorerOperation(operation),
        { level },
        pairsOf(request).flatMap(([name, values]) =>
          values.map((value): [string, string] => [`q.${name}`, value]),
        ),
      )
  }
}

/** The fields of the FHIR form; a read has nothing but an ID, which was not stored. */
export function fieldsOfCall({ operation, request }: Pick<StoredCall, 'operation' | 'request'>): {
  values: Values
  empty: readonly string[]
} {
  const [, name = ''] = operation.split(' ')
  const inputOf = name.startsWith('$')
    ? operationField
    : (each: string) => sharedFields[each] ?? valueField(each)
  const pairs = pairsOf(request)
  const stored = new Set(pairs.map(([each]) => each))
  return {
    values: Object.fromEntries(pairs.map(([each, values]) => [inputOf(each), values])),
    empty: [
      ...(request.path.includes('{id}') ? ['id'] : []),
      ...Object.keys(request.query).filter((each) => !stored.has(each)),
    ],
  }
}

/** Parameters whose values were stored, every one of them. */
function pairsOf({ query }: KeptRequest): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(query)
    .map(([name, value]) => [name, [value].flat()] as const)
    .filter(([, values]) => !values.includes(leftOut))
}
