/** From a line of the history back to the page that made it, with everything that was kept filled in. */
import { paths } from '../../server/contract/paths.ts'
import type { KeptRequest } from '../../server/domain/explorer/explorer-history.ts'
import { valueField } from './fhir-request.ts'

/** In place of values that were not kept. */
const leftOut = '…'

export interface KeptLine {
  readonly id: string
  readonly interface: string
  readonly operation: string
  readonly practiceSlug: string
  readonly level: string
  readonly request: KeptRequest
}

export interface KeptFields {
  /** By the names of the builder's fields. */
  readonly values: Readonly<Record<string, readonly string[]>>
  /** Parameters whose values were not kept, by their own names. */
  readonly empty: readonly string[]
}

export function pathOfKept({
  id,
  interface: door,
  operation,
  practiceSlug,
  level,
  request,
}: KeptLine): string {
  const at = (path: string, query: Record<string, string>) =>
    `${path}?${new URLSearchParams({ practice: practiceSlug, ...query })}`
  switch (door) {
    case 'fhir':
      return at(paths.explorerFhir, { type: operation.split(' ')[0] ?? '', call: id })
    case 'mcp':
      return at(paths.explorerMcp, { level, tool: operation, call: id })
    default:
      return at(paths.explorerOperation(operation), { level, ...restFields(request) })
  }
}

function restFields({ query }: KeptRequest): Record<string, string> {
  const kept = Object.entries(query).filter(([, value]) => value !== leftOut)
  return Object.fromEntries(kept.map(([name, value]) => [`q.${name}`, value]))
}

/** Parameters of every search have fields of their own names. */
const fieldOf: Readonly<Record<string, string>> = {
  _count: 'count',
  _sort: 'sort',
  _include: 'include',
  _revinclude: 'revinclude',
}
/** Those that may be given several times; their values hold no comma. */
const repeated = new Set(['_include', '_revinclude'])

/** The fields of the FHIR builder; a read has nothing but an id, which was not kept. */
export function fieldsOfKept({ operation, request }: Pick<KeptLine, 'operation' | 'request'>): KeptFields {
  if (operation.endsWith(' read')) return { values: {}, empty: ['id'] }
  const entries = Object.entries(request.query)
  const kept = entries.filter(([, value]) => value !== leftOut)
  return {
    values: Object.fromEntries(
      kept.map(([name, value]) => [
        fieldOf[name] ?? valueField(name),
        repeated.has(name) ? value.split(',') : [value],
      ]),
    ),
    empty: entries.filter(([, value]) => value === leftOut).map(([name]) => name),
  }
}

/** Of a query as it was sent: what is there several times is told in one value. */
export function toKeptQuery(query: string): Record<string, string> {
  const kept = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) kept.set(name, [...(kept.get(name) ?? []), value])
  return Object.fromEntries([...kept].map(([name, values]) => [name, values.join(',')]))
}
