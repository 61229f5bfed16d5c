import { Problem } from '../../contract/http/problems.ts'
import { planRead } from '../../search/patient-list.ts'
import { planProviders, planProvidersOf, planRoles } from '../../search/provider-list.ts'
import type { Handler, HandlerCall } from '../handler-types.ts'
import { rolesByPractitioner, toPractitioner } from '../projections/practitioner.ts'

type Find = HandlerCall<'listPractitioners'>['find']

export const listPractitioners: Handler<'listPractitioners'> = async ({ query, find }) => {
  const { rows, hasMore } = await find(planProviders(query))
  return page(await withRoles(rows, find), hasMore, query)
}

export const getPractitioner: Handler<'getPractitioner'> = async ({ params, find }) => {
  const { rows } = await find(planRead('Practitioner', params.id))
  const [practitioner] = await withRoles(rows, find)
  if (practitioner === undefined) throw new Problem('not_found')
  return { body: practitioner, count: 0, patientId: null }
}

export const listLocationProviders: Handler<'listLocationProviders'> = async ({ params, query, find }) => {
  const location = await find(planRead('Location', params.id))
  if (location.rows.length === 0) throw new Problem('not_found')
  const { rows, hasMore } = await find(planProvidersOf(params.id, query))
  return page(await withRoles(rows, find), hasMore, query)
}

async function withRoles(rows: Awaited<ReturnType<Find>>['rows'], find: Find) {
  if (rows.length === 0) return []
  const roles = await find(planRoles(rows.map(({ id }) => id)))
  const byPractitioner = rolesByPractitioner(roles.rows.map(({ content }) => content))
  return rows.map(({ id, content }) => toPractitioner(content, byPractitioner.get(id) ?? []))
}

/** Of people who are no patients: the record of access counts none. */
function page<Item>(data: Item[], hasMore: boolean, { limit, offset }: { limit: number; offset: number }) {
  return { body: { data, page: { limit, offset, hasMore } }, count: 0, patientId: null }
}
