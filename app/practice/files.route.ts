/** Downloads of the practice console, by path. */
import { data } from '@remix-run/server-runtime'
import type { Access } from '../../server/domain/practices/practice-access.ts'
import type { Services } from '../../server/services.ts'
import { attachment } from '../lib/attachment.ts'
import { csvFile } from '../lib/csv.ts'
import { mountedAt, type PageArgs, page } from '../services.server.ts'
import { readAuditQuery, toAccessFilter } from './audit/audit-query.ts'
import { decidingRoles, getPractice } from './practice.server.ts'

const files: Readonly<Record<string, (args: PageArgs) => Promise<Response>>> = {
  '/practice/access.csv': listAccess,
  '/practice/audit.csv': listRecord,
  '/practice/disclosures/file': accountForDisclosures,
}

export const loader = page((args) => {
  const toFile = files[mountedAt(args.request)]
  if (!toFile) throw data(null, { status: 404 })
  return toFile(args)
})

/** All keys, systems and apps with access to a practice, in the page's order. */
async function listAccess(args: PageArgs): Promise<Response> {
  const { actor, practice } = await getPractice(args, decidingRoles)
  const pages = args.context.services.practiceConsole.file(practice.id, actor)
  return csvFile(`access-${practice.slug}`, accessHeads, pages, toAccessRow)
}

const accessHeads = [
  'kind',
  'name',
  'organization',
  'access',
  'purpose',
  'since',
  'lastUsed',
  'state',
  'ends',
] as const

function toAccessRow(access: Access) {
  const { name, organizationName: organization, since, lastUsedAt: lastUsed } = access
  const common = { name, organization, since, lastUsed }
  switch (access.kind) {
    case 'key':
      return {
        ...common,
        ...{ kind: 'key', access: access.level, purpose: access.purpose },
        ...{ state: access.state, ends: access.expiresAt },
      }
    case 'other_key':
      return {
        ...common,
        ...{ kind: 'key', access: access.level, purpose: '' },
        ...{
          state: access.ended ? 'ended' : access.suspended ? 'suspended' : 'active',
          ends: access.expiresAt,
        },
      }
    case 'system':
      return {
        ...common,
        ...{ kind: 'backend_system', access: 'read_only', purpose: access.purpose },
        ...{ state: access.ended ? 'ended' : 'granted', ends: null },
      }
    case 'app':
      return {
        ...common,
        ...{ kind: `${access.audience}_app`, access: `${access.people} people`, purpose: '' },
        ...{ state: access.ended ? 'ended' : 'allowed', ends: null },
      }
  }
}

/** A practice's record of access with the page's filters, newest first. */
async function listRecord(args: PageArgs): Promise<Response> {
  const { actor, practice } = await getPractice(args, ['admin'])
  const filter = toAccessFilter(readAuditQuery(args.request.url), 1_000)
  const pages = args.context.services.practiceAudit.file(practice.id, filter, actor)
  return csvFile(`audit-${practice.slug}`, recordHeads, pages, toRecordRow)
}

const recordHeads = [
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

type NamedAccess = Awaited<ReturnType<Services['practiceAudit']['access']>>['rows'][number]

function toRecordRow({ organizationName: organization, patientId, patients, ...row }: NamedAccess) {
  return { ...row, organization, patientId, patients: patients ?? (patientId === null ? 0 : 1) }
}

/** An accounting of disclosures, which goes into the audit chain with its hash. */
async function accountForDisclosures(args: PageArgs): Promise<Response> {
  const { actor, practice, field, format } = await readReportQuery(args)
  const query = {
    practiceId: practice.id,
    format,
    patientId: field('patient'),
    from: field('from'),
    to: field('to'),
    all: field('all') === 'on',
  }
  return fileOf(await args.context.services.disclosures.issue(query, actor))
}

async function readReportQuery(args: PageArgs) {
  const { searchParams } = new URL(args.request.url)
  const field = (name: string) => searchParams.get(name) ?? ''
  const format = field('format') === 'csv' ? ('csv' as const) : ('pdf' as const)
  return { ...(await getPractice(args, ['admin'])), field, format }
}

const fileOf = ({ bytes, ...file }: { bytes: Uint8Array; name: string; type: string }) =>
  attachment(new Uint8Array(bytes), file)
