/** Compiles the REST lists of providers; their parameters are parsed and bounded by `contract/operations`. */
import type { FhirType } from '../contract/fhir/registry.ts'
import { typed } from './patient-list.ts'
import type { SearchPlan } from './plan.ts'

type Page = { readonly limit: number; readonly offset: number }

const provider: FhirType = 'Practitioner'
const role: FhirType = 'PractitionerRole'
/** Roles read for one page of providers. */
const rolesMax = 1_000

export function planProviders({ q, limit, offset }: Page & { readonly q?: string | undefined }): SearchPlan {
  return { type: provider, criteria: q === undefined ? [] : [typed(q)], limit, offset }
}

/** Whoever has a role in force at this location. */
export function planProvidersOf(locationId: string, { limit, offset }: Page): SearchPlan {
  return {
    type: provider,
    criteria: [
      {
        kind: 'through',
        type: role,
        by: 'practitioner',
        to: 'refers',
        target: { type: 'Location', id: locationId },
      },
    ],
    limit,
    offset,
  }
}

/** The roles of these practitioners. */
export function planRoles(practitionerIds: readonly string[]): SearchPlan {
  return {
    type: role,
    criteria: [{ kind: 'refersTo', by: 'practitioner', target: { type: provider, ids: practitionerIds } }],
    limit: rolesMax,
    offset: 0,
  }
}
