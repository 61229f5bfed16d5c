/** The list of patients as the REST operation gives it, wherever it is shown. */
import type { InputOf, OutputOf } from '../../contract/rest/operations.ts'
import { planPatientList } from '../../search/patient-list.ts'
import type { SearchPlan } from '../../search/plan.ts'
import { toPatient } from './patient-record.ts'

type Find = (plan: SearchPlan) => Promise<{ rows: readonly { content: string }[]; hasMore: boolean }>

/** @param find reads the practice whose patients are listed */
export async function listPatients(
  find: Find,
  query: InputOf<'listPatients'>['query'],
): Promise<OutputOf<'listPatients'>> {
  const { rows, hasMore } = await find(planPatientList(query))
  const { limit, offset } = query
  return { data: rows.map(({ content }) => toPatient(content)), page: { limit, offset, hasMore } }
}
