/**
 * What a call is told about the end of its operation. Reading and searching are no operations: they stay. Of an export
 * only its start can end, so that one that runs is not lost.
 */
import { bulkOperations, type FhirOperationRow, fhirOperations } from '../contract/fhir/operations.ts'
import type { Deprecation } from '../contract/http/deprecation.ts'
import { paths } from '../contract/portal/paths.ts'
import type { Ending } from '../http/deprecation-headers.ts'
import type { Call } from './call.ts'

const rows: Readonly<Record<string, FhirOperationRow>> = { ...fhirOperations, ...bulkOperations }

export function endingOf(
  { base, route }: Pick<Call, 'base' | 'route'>,
  deprecated: Readonly<Record<string, Deprecation>>,
): Ending | null {
  const deprecation = deprecated[nameOf(route)]
  if (deprecation === undefined) return null
  const id = route.kind === 'operation' ? route.id : null
  return {
    deprecation,
    page: paths.typeReference('operations'),
    successor: addressOf(base, rows[deprecation.successor ?? ''], id),
  }
}

function nameOf(route: Call['route']): string {
  if (route.kind === 'operation') return route.operation
  return route.kind === 'export' && route.step === 'kick-off' ? 'export' : ''
}

/** Null where it is of an instance that the request does not name. */
function addressOf(base: string, row: FhirOperationRow | undefined, id: string | null): string | null {
  if (row === undefined) return null
  if (row.level === 'type') return `${base}/${row.type}/$${row.name}`
  return id === null ? null : `${base}/${row.type}/${encodeURIComponent(id)}/$${row.name}`
}
