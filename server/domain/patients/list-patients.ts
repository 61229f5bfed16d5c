/** The list of patients as the REST operation gives it, wherever it is shown. */

import type { InputOf, OutputOf } from '../../contract/rest/operations.ts'
import type { PatientRecord } from '../../contract/rest/records.ts'
import { asRecords, type PatientFieldsSeen, planPatientList } from '../../search/lists.ts'
import { toListedPatient } from '../../search/patient-record.ts'
import type { NamePlan } from '../../search/plan.ts'

/** `next` is null at the end of the list. */
type Search = (plan: NamePlan) => Promise<{ matches: readonly { content: string }[]; next: unknown }>

/** @param search reads the practice whose patients are listed */
export async function listPatients(
  search: Search,
  query: InputOf<'listPatients'>['query'],
  seen?: PatientFieldsSeen,
): Promise<{ data: PatientRecord[]; page: OutputOf<'listPatients'>['page'] }> {
  const { matches, next } = await search(asRecords(planPatientList(query, seen)))
  const { limit, offset } = query
  const data = matches.map(({ content }) => toListedPatient(content))
  return { data, page: { limit, offset, hasMore: next !== null } }
}
