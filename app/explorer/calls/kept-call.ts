/** From a line of the history back to the page that made it, with everything that was kept filled in. */
import { paths } from '../../../server/contract/portal/paths.ts'
import type { KeptRequest } from '../../../server/lab/explorer/explorer-history.ts'
import { sharedFields } from '../fhir/asked-values.ts'
import { operationField, valueField } from '../fhir/fhir-field.ts'

/** In place of values that were not kept. */
const leftOut = '…'

interface KeptLine {
  readonly id: string
  readonly interface: string
  readonly operation: string
  readonly practiceSlug: string
  readonly level: string
  readonly request: KeptRequest
}

interface KeptFields {
  /** By the names of the builder's fields. */
  readonly values: Readonly<Record<string, readonly string[]>>
  /** Parameters whose values were not kept, by their own names. */
  readonly empty: readonly string[]
}

export function pathOfKept({
  id,
  interface: api,
  operation,
  practiceSlug,
  level,
  request,
}: KeptLine): string {
  const at = (
    path: string,
    query: Record<string, string>,
    more: readonly (readonly [string, string])[] = [],
  ) =>
    `${path}?${new URLSearchParams([['practice', practiceSlug], ...Object.entries(query), ...more.map((pair) => [...pair])])}`
  switch (api) {
    case 'fhir':
      return at(paths.explorerFhir, { type: operation.split(' ')[0] ?? '', call: id })
    case 'mcp':
      return at(paths.explorerMcp, { level, tool: operation, call: id })
    default:
      return at(paths.explorerOperation(operation), { level }, restFields(request))
  }
}

function restFields(request: KeptRequest): readonly (readonly [string, string])[] {
  return pairsOf(request).flatMap(([name, values]) => values.map((value) => [`q.${name}`, value] as const))
}

/** The fields of the FHIR builder; a read has nothing but an id, which was not kept. */
export function fieldsOfKept({ operation, request }: Pick<KeptLine, 'operation' | 'request'>): KeptFields {
  const [, name = ''] = operation.split(' ')
  const of = name.startsWith('$') ? operationField : (each: string) => sharedFields[each] ?? valueField(each)
  const pairs = pairsOf(request)
  const keptNames = new Set(pairs.map(([name]) => name))
  return {
    values: {
      ...(name.startsWith('$') && { operation: [name.slice(1)] }),
      ...Object.fromEntries(pairs.map(([name, values]) => [of(name), values])),
    },
    empty: [
      ...(request.path.includes('{id}') ? ['id'] : []),
      ...Object.keys(request.query).filter((each) => !keptNames.has(each)),
    ],
  }
}

/** Parameters whose values were kept, every one of them. */
function pairsOf({ query }: KeptRequest): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(query)
    .map(([name, value]) => [name, [value].flat()] as const)
    .filter(([, values]) => !values.includes(leftOut))
}
