import type { Services } from '../../../server/services.ts'
import { csvFile } from '../../lib/csv.ts'
import { page } from '../../services.server.ts'
import { readAuditQuery, toAccessFilter } from '../../shared/practice/audit-query.ts'
import { getPractice } from '../practice.server.ts'

const heads = [
  'at',
  'who',
  'organization',
  'person',
  'principalKind',
  'principalId',
  'clientId',
  'action',
  'resourceType',
  'patientId',
  'patientName',
  'patients',
  'count',
  'purpose',
  'outcome',
  'correlationId',
] as const

/** A practice's record of access as a file, newest first, by the filters of the page. */
export const loader = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const filter = toAccessFilter(readAuditQuery(args.request.url), 1_000)
  const pages = args.context.services.practiceAudit.file(practice.id, filter, actor)
  return csvFile(`audit-${practice.slug}`, heads, pages, toRow)
})

type NamedAccess = Awaited<ReturnType<Services['practiceAudit']['access']>>['rows'][number]

function toRow({ organizationName: organization, patientId, patients, ...row }: NamedAccess) {
  return { ...row, organization, patientId, patients: patients ?? (patientId === null ? 0 : 1) }
}
