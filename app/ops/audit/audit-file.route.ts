import { csvFile } from '../../lib/csv.ts'
import { page, readerZone } from '../../services.server.ts'
import { getOps } from '../ops.server.ts'
import { readOpsAuditQuery, toAuditSearch } from './audit-query.ts'

const heads = [
  'at',
  'actorKind',
  'actorId',
  'actor',
  'action',
  'subjectKind',
  'subjectId',
  'detail',
  'ip',
  'correlationId',
  'chainNumber',
] as const

/** The portal's audit as a CSV file, newest first, with the filters of the page. */
export const loader = page(async (args) => {
  const { actor } = await getOps(args)
  const { audit } = args.context.services.operations
  const pages = audit.file(toAuditSearch(readOpsAuditQuery(args.request.url), readerZone(args)), actor)
  return csvFile('audit', heads, pages, (row) => row)
})
