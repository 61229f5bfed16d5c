import { Problem } from '../../contract/http/problems.ts'
import { planProvider, planProviders, planProvidersOf, withRoles } from '../../search/lists.ts'
import type { SearchPage } from '../../store/search.ts'
import type { Handler } from '../handler-types.ts'
import { rolesByPractitioner, toPractitioner } from '../projections/practitioner.ts'

export const listPractitioners: Handler<'listPractitioners'> = async ({ query, search }) =>
  page(await search(withRoles(planProviders(query))), query)

export const getPractitioner: Handler<'getPractitioner'> = async ({ params, search }) => {
  const [practitioner] = practitionersOf(await search(withRoles(planProvider(params.id))))
  if (practitioner === undefined) throw new Problem('not_found')
  return { body: practitioner, count: 0, patientId: null }
}

export const listLocationProviders: Handler<'listLocationProviders'> = async (call) => {
  const { params, query, search, read } = call
  if ((await read('Location', params.id)) === null) throw new Problem('not_found')
  return page(await search(withRoles(planProvidersOf(params.id, query))), query)
}

function practitionersOf({ matches, included }: SearchPage) {
  const byPractitioner = rolesByPractitioner(included.map(({ content }) => content))
  return matches.map(({ id, content }) => toPractitioner(content, byPractitioner.get(id) ?? []))
}

/** Of people who are no patients: the record of access counts none. */
function page(found: SearchPage, { limit, offset }: { limit: number; offset: number }) {
  const data = practitionersOf(found)
  return { body: { data, page: { limit, offset, hasMore: found.next !== null } }, count: 0, patientId: null }
}
