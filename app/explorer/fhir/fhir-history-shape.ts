/** A request as the history keeps it, which leaves out what may name a person. */
import type { FhirRequest } from './fhir-request.ts'

export function shapeOf({ interaction, type, path, operation }: FhirRequest) {
  const [, query = ''] = path.split('?')
  const named = `${type}${interaction === 'read' || operation?.isInstance ? '/{id}' : ''}`
  return {
    action: operation?.name ?? (interaction === 'read' ? 'read' : 'search'),
    path: operation ? `${named}/${operation.name}` : named,
    // A link to a next page holds a cursor and nothing besides.
    query: interaction === 'next' ? {} : queryOf(query),
  }
}

/** A parameter that is given several times is kept as the list of its values. */
function queryOf(query: string): Record<string, readonly string[]> {
  const pairs = new URLSearchParams(query)
  return Object.fromEntries([...new Set(pairs.keys())].map((name) => [name, pairs.getAll(name)]))
}
